/**
 * Why Oncehook could not do its job. Endings we expect (a duplicate, a bad signature,
 * a lost claim) are results, not errors.
 */
export type OncehookErrorCode =
  /** A setting is missing or out of range. */
  | 'CONFIG_INVALID'
  /** The handler asked for something no commit can do; the message says what. */
  | 'INVALID_WORK'
  /** A row has a schema version or a shape this code does not know. */
  | 'ROW_UNREADABLE'
  /** A queued message has a version or a shape this code does not know. */
  | 'MESSAGE_UNREADABLE'
  /** SQS did not take a message, or S3 did not take or give its body. */
  | 'QUEUE_UNAVAILABLE'
  /** Secrets cannot be read or decoded, or the source has none. */
  | 'SECRETS_UNAVAILABLE'
  /** DynamoDB refused for load. */
  | 'STORE_THROTTLED'
  /** A transaction holds the item at this moment. */
  | 'STORE_CONFLICT'
  /** DynamoDB did not answer, or answered with its own failure. */
  | 'STORE_UNAVAILABLE'
  /** Access denied or no such table: the deployment is wrong, the event is not. */
  | 'STORE_MISCONFIGURED';

export class OncehookError extends Error {
  override readonly name = 'OncehookError';
  readonly code: OncehookErrorCode;
  /** Whether the same call may succeed a moment later. */
  readonly retryable: boolean;

  constructor(
    code: OncehookErrorCode,
    message: string,
    options: { readonly retryable: boolean; readonly cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
  }
}

export const isOncehookError = (error: unknown): error is OncehookError =>
  error instanceof Error && error.name === 'OncehookError';
