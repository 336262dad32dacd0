import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { copyItem, type Item, readItem } from './attribute-value.ts';
import { evaluate } from './condition.ts';
import { project } from './document-path.ts';
import { NotModelled, validationException } from './errors.ts';
import type { Condition, Path } from './expression.ts';
import { itemSize } from './item-size.ts';
import type { View } from './view.ts';

/** Bytes of items one Query or Scan reads. @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
export const MAX_PAGE_BYTES = 1024 * 1024;

export interface PageRequest {
  readonly filter: Condition | undefined;
  readonly projection: readonly Path[] | undefined;
  readonly limit: number | undefined;
  readonly startAfter: Item | undefined;
  readonly select: string | undefined;
  readonly backwards: boolean;
}

export type Page = Omit<QueryCommandOutput, '$metadata'>;

function itemsAfter(view: View, items: readonly Item[], { startAfter, backwards }: PageRequest): readonly Item[] {
  const inOrder = backwards ? items.toReversed() : items;
  if (startAfter === undefined) return inOrder;
  const start = readItem(startAfter);
  const isPlace = view.placeNames.every((name) => start[name] !== undefined);
  if (!isPlace || Object.keys(start).length !== view.placeNames.length) {
    throw validationException('The provided starting key is invalid');
  }
  return inOrder.filter((item) => (backwards ? view.compare(item, start) < 0 : view.compare(item, start) > 0));
}

const pick = (item: Item, names: readonly string[]): Item =>
  project(
    item,
    names.map((name) => [name]),
  );

function take(items: readonly Item[], limit: number | undefined): readonly Item[] {
  let bytes = 0;
  const full = items.findIndex((item, index) => {
    bytes += itemSize(item);
    return index + 1 === limit || bytes > MAX_PAGE_BYTES;
  });
  return full === -1 ? items : items.slice(0, full + 1);
}

/** Reads one page of the candidates: limit first, then filter, then projection, as the service does. */
export function readPage(view: View, candidates: readonly Item[], request: PageRequest): Page {
  if (request.limit !== undefined && request.limit < 1) {
    throw validationException('Limit must be greater than or equal to 1');
  }
  if (request.select !== undefined && request.select !== 'COUNT') throw new NotModelled(`Select: ${request.select}`);
  const rest = itemsAfter(view, candidates, request);
  const read = take(rest, request.limit);
  const { visible, placeNames } = view;
  const seen = visible === undefined ? read : read.map((item) => pick(item, visible));
  const { filter, projection } = request;
  const matching = filter === undefined ? seen : seen.filter((item) => evaluate(filter, item));
  const shown = projection === undefined ? matching : matching.map((item) => project(item, projection));
  const last = read.at(-1);
  const isEnd = read.length === rest.length && read.length !== request.limit;
  return {
    ...(request.select === 'COUNT' ? {} : { Items: shown.map(copyItem) }),
    Count: matching.length,
    ScannedCount: read.length,
    ...(last === undefined || isEnd ? {} : { LastEvaluatedKey: copyItem(pick(last, placeNames)) }),
  };
}
