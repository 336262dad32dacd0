import type { LocalState } from '../local-state.ts';
import { Refusal } from '../refusal.ts';

/** Which deployment a verb works on. */
export type Place =
  | { readonly kind: 'local'; readonly state: LocalState }
  | { readonly kind: 'stack'; readonly stack: string; readonly region: string | undefined };

export interface PlaceWish {
  readonly stack: string | undefined;
  /** Whether local AWS was asked for by name. */
  readonly local: boolean;
  readonly region: string | undefined;
}

/** @throws Refusal when neither a stack nor a running local AWS can be meant. */
export function choosePlace({ stack, local, region }: PlaceWish, state: LocalState | undefined): Place {
  if (stack !== undefined && local) throw new Refusal('--stack and --local are two places: give one of them');
  if (stack !== undefined) return { kind: 'stack', stack, region };
  if (region !== undefined) throw new Refusal('--region is of a stack in AWS: name it with --stack NAME');
  if (state !== undefined) return { kind: 'local', state };
  throw new Refusal('nothing runs here: start it with npm start, or name a stack in AWS with --stack NAME');
}

export const describePlace = (place: Place): string =>
  place.kind === 'local'
    ? `in local AWS (${place.state.apiUrl})`
    : `in AWS: stack ${place.stack}${place.region === undefined ? '' : ` (${place.region})`}`;
