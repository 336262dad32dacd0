/**
 * Whether a read failed because Secrets Manager, or the way to it, failed, and not because of what was
 * asked or who asked: no answer, a 5xx, or a refusal for load. What is not known to be one is none.
 *
 * The status counts beside `$fault`: an error that the client has no model of is `client` to it, also
 * with status 503.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/CommonErrors.html
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (status !== undefined && (status >= 500 || status === TOO_MANY_REQUESTS)) return true;
  if ('$fault' in error && error.$fault === 'server') return true;
  return OUTAGES.has(error.name) || ('code' in error && NO_CONNECTION.has(error.code));
}

const TOO_MANY_REQUESTS = 429;

const OUTAGES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'RequestTimeout',
  'RequestTimeoutException',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'SlowDown',
]);

/** @see https://nodejs.org/api/errors.html#common-system-errors */
const NO_CONNECTION: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

function statusOf(error: Error): number | undefined {
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined;
  const status: unknown =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined;
  return typeof status === 'number' ? status : undefined;
}
