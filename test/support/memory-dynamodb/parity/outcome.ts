import { createHash } from 'node:crypto';
import { type DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { formatDecimal, parseDecimal } from '../decimal.ts';
import type { ParityCommand } from './parity-case.ts';

/** DynamoDB Local adds consumed capacity to some answers without being asked. */
const IGNORED: readonly string[] = ['$metadata', 'ConsumedCapacity'];
/** Longer texts are compared by length and hash, to keep a difference readable. */
const LONG_TEXT = 200;

const isRecord = (raw: unknown): raw is Record<string, unknown> => typeof raw === 'object' && raw !== null;

/** The same whatever the order of names, set members and scanned items, and the zeros at a number's end. */
export function comparable(raw: unknown, name = ''): unknown {
  if (raw instanceof Uint8Array) return `base64 ${Buffer.from(raw).toString('base64')}`;
  if (name === 'N' && typeof raw === 'string') return formatDecimal(parseDecimal(raw));
  if (Array.isArray(raw)) {
    const members = raw.map((member) => comparable(member, name === 'NS' ? 'N' : ''));
    if (!['SS', 'NS', 'BS', 'Items'].includes(name)) return members;
    return members.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof raw === 'string' && raw.length > LONG_TEXT) {
    return `${raw.length} characters ${createHash('sha256').update(raw).digest('hex')}`;
  }
  if (!isRecord(raw)) return raw;
  const entries = Object.entries(raw).filter(([member, value]) => value !== undefined && !IGNORED.includes(member));
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([member, value]) => [member, comparable(value, member)]),
  );
}

/** What one command led to: its output, or its error's name, old item, and reason codes with their old items. */
export async function outcomeOf(client: Pick<DynamoDBClient, 'send'>, command: ParityCommand): Promise<unknown> {
  const send = client.send as (sent: ParityCommand) => Promise<unknown>;
  try {
    return comparable(await send.call(client, command));
  } catch (error) {
    if (!(error instanceof DynamoDBServiceException)) throw error;
    const { Item: item, CancellationReasons: reasons }: Record<string, unknown> = { ...error };
    const codes = Array.isArray(reasons)
      ? reasons.map((reason) =>
          isRecord(reason) ? { Code: reason['Code'], Item: comparable(reason['Item']) } : reason,
        )
      : undefined;
    return { error: error.name, item: comparable(item), reasons: codes };
  }
}
