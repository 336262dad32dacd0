import type { _Record as WireRecord } from '@aws-sdk/client-dynamodb-streams';

type Item = Readonly<Record<string, unknown>>;

/** A stream record as a function gets it in its event. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: string;
  readonly eventVersion: string;
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly dynamodb: {
    /** Seconds, to the minute: DynamoDB Local cuts them. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Item;
    readonly NewImage?: Item;
    readonly OldImage?: Item;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: string;
  };
  readonly userIdentity?: { readonly PrincipalId: string; readonly Type: string };
  readonly eventSourceARN: string;
}

/**
 * Makes Lambda's record of one that the streams API gave out: values in DynamoDB's own JSON, binary
 * ones in base64.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
export function buildStreamRecord(record: WireRecord, streamArn: string, region: string): StreamRecord {
  const { dynamodb: change = {}, userIdentity } = record;
  return {
    eventID: record.eventID ?? '',
    eventName: record.eventName ?? '',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor((change.ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
      Keys: toJsonItem(change.Keys ?? {}),
      ...(change.NewImage !== undefined && { NewImage: toJsonItem(change.NewImage) }),
      ...(change.OldImage !== undefined && { OldImage: toJsonItem(change.OldImage) }),
      SequenceNumber: change.SequenceNumber ?? '',
      SizeBytes: change.SizeBytes ?? 0,
      StreamViewType: change.StreamViewType ?? '',
    },
    ...(userIdentity !== undefined && {
      userIdentity: { PrincipalId: userIdentity.PrincipalId ?? '', Type: userIdentity.Type ?? '' },
    }),
    eventSourceARN: streamArn,
  };
}

const toJsonItem = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toJsonValue(value)]));

function toJsonValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJsonValue);
  return typeof value === 'object' && value !== null ? toJsonItem(Object.fromEntries(Object.entries(value))) : value;
}
