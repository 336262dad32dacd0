import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isEqual } from './comparison.ts';

const isBytes = (member: Uint8Array, other: Uint8Array): boolean => isEqual({ B: member }, { B: other });

/** The union of two sets of one type; `undefined` when either is no set or the types differ. */
export function withMembers(set: AttributeValue, added: AttributeValue): AttributeValue | undefined {
  if (set.SS !== undefined && added.SS !== undefined) return { SS: [...new Set([...set.SS, ...added.SS])] };
  if (set.NS !== undefined && added.NS !== undefined) return { NS: [...new Set([...set.NS, ...added.NS])] };
  if (set.BS === undefined || added.BS === undefined) return undefined;
  const present = set.BS;
  return { BS: [...present, ...added.BS.filter((member) => !present.some((other) => isBytes(member, other)))] };
}

/** A set less the removed members, or `empty`; `undefined` when either is no set or the types differ. */
export function withoutMembers(set: AttributeValue, removed: AttributeValue): AttributeValue | 'empty' | undefined {
  if (set.SS !== undefined && removed.SS !== undefined) {
    const gone = removed.SS;
    const left = set.SS.filter((member) => !gone.includes(member));
    return left.length === 0 ? 'empty' : { SS: left };
  }
  if (set.NS !== undefined && removed.NS !== undefined) {
    const gone = removed.NS;
    const left = set.NS.filter((member) => !gone.includes(member));
    return left.length === 0 ? 'empty' : { NS: left };
  }
  if (set.BS === undefined || removed.BS === undefined) return undefined;
  const gone = removed.BS;
  const left = set.BS.filter((member) => !gone.some((other) => isBytes(member, other)));
  return left.length === 0 ? 'empty' : { BS: left };
}
