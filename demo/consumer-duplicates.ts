import { LOG_FIELDS } from '../lambda/contract.ts';
import type { LogFeed } from '../local/functions/log-feed.ts';

/** Counts from now on what the consumer says it has consumed before. */
export function countConsumerDuplicates(logs: LogFeed): () => number {
  let count = 0;
  logs.subscribe(({ functionKey, fields }) => {
    if (functionKey === 'consume' && fields?.[LOG_FIELDS.outcome] === 'duplicate') count += 1;
  });
  return () => count;
}
