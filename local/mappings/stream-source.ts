import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as WireRecord,
} from '@aws-sdk/client-dynamodb-streams';

export interface Shard {
  readonly id: string;
  readonly parentId: string | undefined;
}

/** The place from which to read a shard: its start, its end, or after a record. */
export type ShardPosition = 'TRIM_HORIZON' | 'LATEST' | { readonly after: string };

/** A table's stream. Every method throws what the SDK throws. */
export interface StreamSource {
  shards(): Promise<readonly Shard[]>;
  /** `undefined` for a shard that has nothing more and never will. */
  iterator(shardId: string, position: ShardPosition): Promise<string | undefined>;
  records(
    iterator: string,
    limit: number,
  ): Promise<{ readonly records: readonly WireRecord[]; readonly next: string | undefined }>;
}

export function createStreamSource(
  dynamodb: DynamoDBClient,
  streams: DynamoDBStreamsClient,
  tableName: string,
): StreamSource {
  /** DynamoDB Local's own, which has the time in it and cannot be known beforehand. */
  let streamArn: string | undefined;

  return {
    async shards() {
      const { Table: table } = await dynamodb.send(new DescribeTableCommand({ TableName: tableName }));
      streamArn = table?.LatestStreamArn;
      if (streamArn === undefined) throw new Error(`table ${tableName} has no stream`);
      const shards: Shard[] = [];
      let from: string | undefined;
      do {
        const { StreamDescription: description } = await streams.send(
          new DescribeStreamCommand({
            StreamArn: streamArn,
            ...(from !== undefined && { ExclusiveStartShardId: from }),
          }),
        );
        for (const { ShardId: id, ParentShardId: parentId } of description?.Shards ?? []) {
          if (id !== undefined) shards.push({ id, parentId });
        }
        from = description?.LastEvaluatedShardId;
      } while (from !== undefined);
      return shards;
    },
    async iterator(shardId, position) {
      const place =
        typeof position === 'string'
          ? { ShardIteratorType: position }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: position.after };
      const { ShardIterator: iterator } = await streams.send(
        new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shardId, ...place }),
      );
      return iterator;
    },
    async records(iterator, limit) {
      const { Records: records = [], NextShardIterator: next } = await streams.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }),
      );
      return { records, next };
    },
  };
}
