/**
 * AWS's errors, in one line for a person. By name, because two copies of the SDK make `instanceof` false. The SDK's own
 * messages are left out, but for the action that is denied: they may repeat what was sent.
 */
import { nameOf } from '../../../adapters/dynamodb/translate-error.ts';
import { isOncehookError } from '../../../core/errors.ts';
import { oneLine, Refusal } from '../../refusal.ts';
import { type ServiceName, titleOf } from './client-config.ts';

/** What was asked for. */
export interface Asked {
  readonly service: ServiceName;
  /** As IAM calls it, without the service. */
  readonly action: string;
  /** What it was asked of. */
  readonly resource: string;
  readonly isLocal: boolean;
}

export function explainError(asked: Asked, error: unknown): Refusal {
  return new Refusal(explain(asked, error));
}

/** Runs a call and explains what it throws. Errors of our own pass. */
export async function explaining<T>(asked: Asked, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isOncehookError(error) || error instanceof Refusal) throw error;
    throw explainError(asked, error);
  }
}

function explain({ service, action, resource, isLocal }: Asked, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const name = nameOf(error);
  if (isLocal && /^(ECONNREFUSED|ECONNRESET|UnrecognizedClientException)$/.test(code || name)) {
    return 'local AWS does not answer any more: start it again with npm start';
  }
  if (/^(UnauthorizedOperation|AccessDenied.*)$/.test(name)) {
    // Who may not list a bucket is denied an object that is not there.
    const denied = /not authorized to perform: ([a-z0-9-]+:[A-Za-z]+)/.exec(oneLine(error))?.[1];
    return `access denied: these credentials may not call ${denied ?? `${service}:${action}`} on ${resource}`;
  }
  switch (name) {
    case 'ResourceNotFoundException':
    case 'QueueDoesNotExist':
    case 'AWS.SimpleQueueService.NonExistentQueue':
    case 'NoSuchBucket':
      return `there is no ${resource} in this account and Region`;
    case 'CredentialsProviderError':
    case 'UnrecognizedClientException':
    case 'InvalidClientTokenId':
    case 'ExpiredToken':
    case 'ExpiredTokenException':
    case 'InvalidSignatureException':
    case 'SignatureDoesNotMatch':
      return 'no usable AWS credentials: sign in, or set AWS_PROFILE, as for the aws command';
    case 'TimeoutError':
      return `${titleOf(service)} did not answer in time`;
    default:
      if (oneLine(error) === 'Region is missing') return 'no AWS Region: add --region, or set AWS_REGION';
      return `${titleOf(service)} could not do ${action}: ${code || name || 'no answer'}`;
  }
}
