import type { DurationMs } from '../../core/time.ts';
import { type HeldMessages, holdMessages } from '../dead-letters/hold-messages.ts';
import type { DlqName } from '../dead-letters/read-dead-letter.ts';
import type { OperatorQueue } from '../deployment/queue-port.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import type { PlaceOptions } from './place-options.ts';
import type { Surroundings } from './surroundings.ts';

/** More than a queue lets anybody hold at once. */
export const MAX_MESSAGES = 120_000;

export interface DlqOptions extends PlaceOptions {
  readonly queue: DlqName;
}

/** Holds the messages of a DLQ while `work` looks at them; Ctrl-C ends it where nothing is half done. */
export const holding = <T>(
  dlq: OperatorQueue,
  hide: DurationMs,
  { terminal, untilInterrupted }: Surroundings,
  work: (held: HeldMessages, interruption: AbortSignal) => Promise<T>,
): Promise<T> =>
  untilInterrupted((interruption) =>
    holdMessages(
      dlq,
      {
        hide,
        interruption,
        onHidden: (count, reason) =>
          terminal.note(`note: ${count} of them stay hidden for up to ${hide / 60_000} min: ${reason}`),
      },
      (held) => work(held, interruption),
    ),
  );

export const noSuchMessage = (id: string): Refusal =>
  new Refusal(
    `no such message can be seen in the DLQ: ${printable(id)}. It is not there, or hidden because somebody looks at it`,
  );
