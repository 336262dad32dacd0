import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../core/attribute-value.ts';

/** An item as the SDK types it: it allows for kinds of values that do not exist yet. */
export type WireItem = Record<string, AttributeValue>;

/** The SDK's item as ours. A kind that nobody knows is told apart when it is decoded. */
export const fromWire = (item: WireItem): Item => item as Item;
