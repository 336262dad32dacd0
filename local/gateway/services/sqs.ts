/**
 * SQS behind the gateway, by its JSON protocol.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsqs.html
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-making-api-requests-json.html
 */
import type { Place } from '../../template/physical-names.ts';
import { listOf, recordOf } from '../../template/template.ts';
import type { Answer, BatchPart, GatewayService, PartialBatch, ServiceCall } from '../gateway-service.ts';
import { jsonAnswer, statusOf } from '../json-answer.ts';

type Input = Readonly<Record<string, unknown>>;

const CONTENT_TYPE = 'application/x-amz-json-1.0';
const MODELLED = 'com.amazonaws.sqs#';
const CORAL = 'com.amazon.coral.service#';
const CORAL_ERRORS = new Set([
  'AccessDeniedException',
  'InternalFailure',
  'MissingAuthenticationTokenException',
  'SerializationException',
  'ServiceUnavailable',
  'UnknownOperationException',
  'UnrecognizedClientException',
]);

/** What an error is called in the older protocol: SQS says both names. */
const QUERY_CODES: Readonly<Record<string, string>> = {
  AccessDeniedException: 'AccessDenied',
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  UnrecognizedClientException: 'InvalidClientTokenId',
  UnknownOperationException: 'InvalidAction',
};

/** What IAM must allow for an action: a batch has no action of its own. */
const ACTIONS: Readonly<Record<string, string | undefined>> = {
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
  ReceiveMessage: 'ReceiveMessage',
  DeleteMessage: 'DeleteMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
  GetQueueAttributes: 'GetQueueAttributes',
  GetQueueUrl: 'GetQueueUrl',
};

export function sqsService({ region, accountId }: Place, target: string): GatewayService {
  return {
    name: 'sqs',
    target,
    read({ headers, body }) {
      const action = String(headers['x-amz-target']).replace(/^AmazonSQS\./, '');
      const needed = ACTIONS[action];
      if (needed === undefined) return undefined;
      const input = recordOf(JSON.parse(body.toString('utf8')));
      const queue = queueOf(input);
      const resource = `arn:aws:sqs:${region}:${accountId}:${queue}`;
      const subject = `${queue} ${messageOf(input)}`;
      return { service: 'sqs', action, needs: [{ action: `sqs:${needed}`, resource }], input, subject, items: 0 };
    },

    describeError: ({ code, message }) => refusal(`${CORAL_ERRORS.has(code) ? CORAL : MODELLED}${code}`, code, message),
    describeThrottling: () => refusal(`${MODELLED}RequestThrottled`, 'RequestThrottled', 'Request is throttled.'),
    describeConflict: () => undefined,
    applyPart,
  };
}

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
function applyPart({ input }: ServiceCall, { failed, unanswered, code }: BatchPart): PartialBatch | undefined {
  const entries = listOf(input['Entries']).map(recordOf);
  if (entries.length === 0) return undefined;
  const stranger = [...failed, ...unanswered].find((place) => entries[place] === undefined);
  if (stranger !== undefined) throw new RangeError(`a batch of ${entries.length} entries has none at ${stranger}`);
  const idsAt = (places: readonly number[]) => places.map((place) => entries[place]?.['Id']);
  const applied = entries.filter((_, place) => !failed.includes(place));
  const silent = idsAt(unanswered);

  return {
    body: applied.length === 0 ? undefined : Buffer.from(JSON.stringify({ ...input, Entries: applied })),
    answer(said) {
      if (said !== undefined && said.status !== 200) return said;
      const lists = said === undefined ? {} : recordOf(JSON.parse(said.body.toString('utf8')));
      const made = idsAt(failed).map((Id) => ({ Id, Code: code, Message: FAILED, SenderFault: false }));
      return jsonAnswer(200, CONTENT_TYPE, {
        Successful: listOf(lists['Successful']).filter((entry) => !silent.includes(recordOf(entry)['Id'])),
        Failed: [...listOf(lists['Failed']), ...made],
      });
    },
  };
}

const FAILED = 'local AWS was told to fail';

function refusal(type: string, code: string, message: string): Answer {
  const status = statusOf(code);
  const answer = jsonAnswer(status, CONTENT_TYPE, { __type: type, message });
  const queryError = `${QUERY_CODES[code] ?? code};${status < 500 ? 'Sender' : 'Receiver'}`;
  return { ...answer, headers: [...answer.headers, 'x-amzn-query-error', queryError] };
}

/** The queue's name: the last part of its URL, or what is asked for by name. */
const queueOf = (input: Input): string =>
  typeof input['QueueUrl'] === 'string' ? (input['QueueUrl'].split('/').at(-1) ?? '') : String(input['QueueName']);

/** What tells the first message from others, as far as the request says. */
function messageOf(input: Input): string {
  const first = recordOf(listOf(input['Entries'])[0] ?? input);
  return String(first['MessageDeduplicationId'] ?? first['MessageBody'] ?? first['ReceiptHandle'] ?? '');
}
