/**
 * DynamoDB's errors as ours. By name, because two copies of the SDK in one bundle make
 * `instanceof` silently false.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
import { isOncehookError, OncehookError } from '../../core/errors.ts';

export const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';

export const isConditionFailed = (error: unknown): boolean => nameOf(error) === 'ConditionalCheckFailedException';
export const isTransactionConflict = (error: unknown): boolean => nameOf(error) === 'TransactionConflictException';

const THROTTLED = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'LimitExceededException',
];

// Wrong in the deployment: no event is to blame, and none may be parked for it.
const MISCONFIGURED = [
  'AccessDeniedException',
  'ResourceNotFoundException',
  'UnrecognizedClientException',
  'MissingAuthenticationTokenException',
];

export const isThrottled = (error: unknown): boolean => THROTTLED.includes(nameOf(error));
export const isMisconfigured = (error: unknown): boolean => MISCONFIGURED.includes(nameOf(error));

/**
 * @param doing What was attempted, for the message. The SDK's own message goes to `cause` alone.
 */
export function translateError(error: unknown, doing: string): OncehookError {
  if (isOncehookError(error)) return error;
  if (isTransactionConflict(error)) {
    return new OncehookError('STORE_CONFLICT', `${doing}: a transaction holds the item`, {
      retryable: true,
      cause: error,
    });
  }
  if (isThrottled(error))
    return new OncehookError('STORE_THROTTLED', `${doing}: throttled`, { retryable: true, cause: error });
  if (isMisconfigured(error)) {
    return new OncehookError('STORE_MISCONFIGURED', `${doing}: ${nameOf(error)}`, { retryable: false, cause: error });
  }
  // Everything else, an expired request signature among it, is infrastructure and may pass.
  return new OncehookError('STORE_UNAVAILABLE', `${doing}: ${nameOf(error) || 'no answer'}`, {
    retryable: true,
    cause: error,
  });
}
