import type { OwedRow } from '../../core/outbox-ports.ts';
import type { OwedMessage } from '../../core/owed-message.ts';
import type { TableSize } from './scan-cost.ts';

/** The outbox, as an operator reaches it. Every method throws a Refusal when it cannot be reached. */
export interface OperatorOutbox {
  /** All rows, a page at a time and in no order. */
  scan(): AsyncIterable<readonly OwedRow[]>;
  read(id: string): Promise<OwedRow | undefined>;
  size(): Promise<TableSize>;
  /** Makes a stuck message due again since its commit, with no failed sending, unless its row is another one by now. */
  makeDue(message: OwedMessage): Promise<'due' | 'changed'>;
}
