import {
  type AttributeValue,
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';

/** The test asked for something this store does not model: extend the store, do not catch this. */
export class NotModelled extends Error {
  override readonly name = 'NotModelled';

  constructor(what: string) {
    super(`the in-memory DynamoDB does not model ${what}`);
  }
}

const $metadata = { httpStatusCode: 400, attempts: 1, totalRetryDelay: 0 } as const;

/** A request that breaks one of the service's rules. */
export const validationException = (message: string): DynamoDBServiceException =>
  new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata });

/** A value whose JSON shape is not what the service can read, such as a number in place of the text of `N`. */
export const serializationException = (message: string): DynamoDBServiceException =>
  new DynamoDBServiceException({ name: 'SerializationException', $fault: 'client', message, $metadata });

export const conditionalCheckFailed = (
  item: Record<string, AttributeValue> | undefined,
): ConditionalCheckFailedException =>
  new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata,
    ...(item === undefined ? {} : { Item: item }),
  });

export const transactionCanceled = (reasons: CancellationReason[]): TransactionCanceledException =>
  new TransactionCanceledException({
    message:
      'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
      `[${reasons.map((reason) => reason.Code).join(', ')}]`,
    $metadata,
    CancellationReasons: reasons,
  });

export const idempotentParameterMismatch = (): IdempotentParameterMismatchException => {
  const message = 'Request parameters do not match those of an earlier request with the same client token';
  return new IdempotentParameterMismatchException({ message, Message: message, $metadata });
};

export const resourceNotFound = (): ResourceNotFoundException =>
  new ResourceNotFoundException({ message: 'Requested resource not found', $metadata });

export const resourceInUse = (table: string): ResourceInUseException =>
  new ResourceInUseException({ message: `Table already exists: ${table}`, $metadata });

/** What the SDK rejects with when the caller's signal ends a request. */
export function requestAborted(): Error {
  const error = new Error('Request aborted');
  error.name = 'AbortError';
  return error;
}

export const isValidationException = (error: unknown): error is DynamoDBServiceException =>
  error instanceof DynamoDBServiceException && error.name === 'ValidationException';
