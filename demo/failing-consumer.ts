/** Ends the id of an event whose message its consumer fails at once, at the first attempt. */
const MARK = '-consumer-fails';

export const withFailingConsumer = (eventId: string): string => `${eventId}${MARK}`;

/** @param messageId The outbox id. */
export const hasFailingConsumer = (messageId: string): boolean => messageId.includes(`${MARK}#`);
