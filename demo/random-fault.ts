import type { Fault } from '../local/faults/fault.ts';
import type { Chance } from './chance.ts';

interface Share {
  /** Of the calls, from 0 to 1. */
  readonly share: number;
  /** @param place From 0 to below 1. */
  readonly fault: (place: number) => Fault;
}

const delay = (place: number): number => 20 + Math.floor(place * 180);

const IN_DYNAMODB: readonly Share[] = [
  { share: 0.03, fault: () => ({ kind: 'drop-answer' }) },
  { share: 0.02, fault: () => ({ kind: 'cut' }) },
  { share: 0.03, fault: () => ({ kind: 'throttle' }) },
  { share: 0.04, fault: () => ({ kind: 'conflict' }) },
  { share: 0.02, fault: () => ({ kind: 'refuse', code: 'InternalServerError' }) },
  { share: 0.04, fault: (place) => ({ kind: 'delay-before', wait: delay(place) }) },
  { share: 0.03, fault: (place) => ({ kind: 'delay-after', wait: delay(place) }) },
];

const IN_SQS: readonly Share[] = [
  { share: 0.05, fault: () => ({ kind: 'drop-answer' }) },
  { share: 0.05, fault: () => ({ kind: 'refuse', code: 'InternalFailure' }) },
  { share: 0.03, fault: () => ({ kind: 'throttle' }) },
  { share: 0.04, fault: (place) => ({ kind: 'delay-after', wait: delay(place) }) },
];

/** A fault as a network and a busy service have them, or mostly none. */
export function randomFault(
  service: 'dynamodb' | 'sqs',
  chance: Chance,
  ...about: readonly (string | number)[]
): Fault | undefined {
  let place = chance.of('fault', ...about);
  for (const { share, fault } of service === 'sqs' ? IN_SQS : IN_DYNAMODB) {
    if (place < share) return fault(place / share);
    place -= share;
  }
  return undefined;
}
