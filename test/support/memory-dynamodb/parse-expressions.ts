import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { validateExpressions } from 'dynalite/validations/index.js';
import { type Item, readValue, typeOf } from './attribute-value.ts';
import { isValidationException, validationException } from './errors.ts';
import type { Condition, Path, UpdateAction } from './expression.ts';
import { createTreeReader } from './parse-tree.ts';

/** The expression parameters a request may carry. */
export interface ExpressionInput {
  readonly ConditionExpression?: string | undefined;
  readonly FilterExpression?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

export interface Expressions {
  readonly condition: Condition | undefined;
  readonly filter: Condition | undefined;
  readonly keyCondition: Condition | undefined;
  readonly update: readonly UpdateAction[];
  readonly projection: readonly Path[] | undefined;
}

/** Bytes of one expression. @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
export const MAX_EXPRESSION_BYTES = 4096;

const EXPRESSIONS = [
  'ConditionExpression',
  'FilterExpression',
  'KeyConditionExpression',
  'UpdateExpression',
  'ProjectionExpression',
] as const;

const base64 = (raw: Uint8Array): string => Buffer.from(raw).toString('base64');

/**
 * What the parser needs to see of a value to check operand types and BETWEEN bounds. The parser wants binary in
 * base64, and never looks into documents.
 */
function outlineOf(value: AttributeValue): Record<string, unknown> {
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  if (value.M !== undefined) return { M: {} };
  if (value.L !== undefined) return { L: [] };
  const type = typeOf(value);
  return { [type]: structuredClone(value[type]) };
}

function checkSizes(input: ExpressionInput): void {
  for (const name of EXPRESSIONS) {
    const size = Buffer.byteLength(input[name] ?? '');
    if (size > MAX_EXPRESSION_BYTES) {
      throw validationException(
        `Invalid ${name}: Expression size has exceeded the maximum allowed size; expression size: ${size}`,
      );
    }
  }
}

function checkUse(input: ExpressionInput): void {
  const used = EXPRESSIONS.filter((name) => input[name] !== undefined);
  if (input.ExpressionAttributeNames !== undefined && used.length === 0) {
    throw validationException('ExpressionAttributeNames can only be specified when using expressions');
  }
  if (input.ExpressionAttributeValues !== undefined && used.every((name) => name === 'ProjectionExpression')) {
    throw validationException('ExpressionAttributeValues can only be specified when using expressions');
  }
}

function readExpressionValue(name: string, value: AttributeValue): AttributeValue {
  try {
    return readValue(value);
  } catch (error) {
    if (!isValidationException(error)) throw error;
    throw validationException(`ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`);
  }
}

function readExpressionValues(values: Item): Item {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (value === undefined) throw validationException(`ExpressionAttributeValues contains no value for key ${name}`);
      return [name, readExpressionValue(name, value)];
    }),
  );
}

/**
 * Parses all expressions of a request with its names and values put in.
 * @throws ValidationException for bad syntax, reserved words, undefined or unused names and values, overlapping
 * paths, and operands of a wrong type, with the service's message.
 */
export function parseExpressions(input: ExpressionInput): Expressions {
  checkUse(input);
  checkSizes(input);
  const values = readExpressionValues(input.ExpressionAttributeValues ?? {});
  const valueByOutline = new Map<unknown, AttributeValue>();
  const outlines = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const outline = outlineOf(value);
      valueByOutline.set(outline, value);
      return [name, outline];
    }),
  );
  const request: Record<string, unknown> = {
    ...Object.fromEntries(EXPRESSIONS.map((name) => [name, input[name]])),
    ExpressionAttributeNames: input.ExpressionAttributeNames,
    ...(input.ExpressionAttributeValues === undefined ? {} : { ExpressionAttributeValues: outlines }),
  };

  const problem = validateExpressions(request);
  if (problem !== undefined) throw validationException(problem);

  const tree = createTreeReader(valueByOutline);
  return {
    condition: tree.condition(request['_condition']),
    filter: tree.condition(request['_filter']),
    keyCondition: tree.condition(request['_keyCondition']),
    update: tree.update(request['_updates']),
    projection: tree.projection(request['_projection']),
  };
}
