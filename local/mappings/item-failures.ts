import { recordOf } from '../template/template.ts';

/**
 * The items that a function names as failed in a partial answer, in its order: none for an empty answer, an
 * empty list, or none at all. What is not a name comes out as a text that names nothing.
 *
 * @returns `malformed` for an answer in another form.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export function readItemFailures(payload: string): readonly string[] | 'malformed' {
  const answer = parse(payload);
  if (answer === undefined || answer === null) return [];
  if (typeof answer !== 'object' || Array.isArray(answer)) return 'malformed';
  const failures = recordOf(answer)['batchItemFailures'];
  if (failures === undefined || failures === null) return [];
  if (!Array.isArray(failures)) return 'malformed';
  return failures.map((failure) => String(recordOf(failure)['itemIdentifier'] ?? ''));
}

function parse(payload: string): unknown {
  try {
    return payload === '' ? null : JSON.parse(payload);
  } catch {
    return payload;
  }
}
