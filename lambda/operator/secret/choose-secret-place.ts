import type { LocalState } from '../local-state.ts';
import { Refusal } from '../refusal.ts';

/** Which secret, and where it is. */
export interface SecretPlace {
  readonly isLocal: boolean;
  /** Name or ARN. */
  readonly secretId: string;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly credentials: LocalState['credentials'] | undefined;
}

export interface SecretPlaceWish {
  /** Whether local AWS was asked for by name. */
  readonly local: boolean;
  /** Name or ARN; alone it is one in AWS, even while local AWS runs. */
  readonly secretId: string | undefined;
  readonly region: string | undefined;
}

/** @throws Refusal when neither local AWS nor a secret in AWS can be meant. */
export function chooseSecretPlace(wish: SecretPlaceWish, local: LocalState | undefined): SecretPlace {
  if (wish.secretId !== undefined && !wish.local) {
    const region = wish.region ?? /^arn:[^:]+:secretsmanager:([^:]+):/.exec(wish.secretId)?.[1];
    return { isLocal: false, secretId: wish.secretId, endpoint: undefined, region, credentials: undefined };
  }
  if (local === undefined) {
    throw new Refusal('nothing runs here: start it with npm start, or name a stack in AWS with --stack NAME');
  }
  const secretId = wish.secretId ?? local.signingSecretId;
  if (secretId === undefined) throw new Refusal('local AWS does not say which secret is its own: add --secret-id');
  return {
    isLocal: true,
    secretId,
    endpoint: local.secretsManagerUrl,
    region: local.region,
    credentials: local.credentials,
  };
}
