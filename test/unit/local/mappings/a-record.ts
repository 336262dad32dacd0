import type { StreamRecord } from '../../../../local/mappings/stream-record.ts';

/** A record of a new row, by its sequence number. */
export const aRecord = (sequenceNumber: string, createdAtSeconds = 0): StreamRecord => ({
  eventID: `event-${sequenceNumber}`,
  eventName: 'INSERT',
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'us-east-1',
  dynamodb: {
    ApproximateCreationDateTime: createdAtSeconds,
    Keys: { id: { S: sequenceNumber } },
    NewImage: { id: { S: sequenceNumber }, state: { S: 'new' } },
    SequenceNumber: sequenceNumber,
    SizeBytes: 1,
    StreamViewType: 'NEW_IMAGE',
  },
  eventSourceARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/Outbox/stream/2000-01-01T00:00:00.000',
});

export const numbersOf = (records: readonly StreamRecord[]): string =>
  records.map(({ dynamodb }) => dynamodb.SequenceNumber).join('');
