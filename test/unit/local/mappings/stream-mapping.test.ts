import type { _Record as WireRecord } from '@aws-sdk/client-dynamodb-streams';
import { afterEach, describe, expect, it } from 'vitest';
import type { InvocationResult } from '../../../../local/functions/invocation.ts';
import type { Mapping } from '../../../../local/mappings/mapping.ts';
import type { MappingFaultKind } from '../../../../local/mappings/mapping-faults.ts';
import type { StreamMappingSpec } from '../../../../local/mappings/mapping-spec.ts';
import type { Positions } from '../../../../local/mappings/positions.ts';
import { startStreamMapping } from '../../../../local/mappings/stream-mapping.ts';
import type { StreamSource } from '../../../../local/mappings/stream-source.ts';

const STREAM = 'arn:aws:dynamodb:us-east-1:000000000000:table/Outbox/stream/2000-01-01T00:00:00.000';
const FAILURES = 'arn:aws:sqs:us-east-1:000000000000:failures';

const SPEC: StreamMappingSpec = {
  from: 'stream',
  logicalId: 'Mapping',
  tableName: 'Outbox',
  streamArn: STREAM,
  functionKey: 'dispatch',
  functionName: 'Oncehook-dev-Dispatch',
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Oncehook-dev-Dispatch',
  startAt: 'TRIM_HORIZON',
  patterns: ['{"eventName":["INSERT"]}'],
  batchSize: 2,
  bisectsOnError: false,
  reportsItemFailures: true,
  maxRetries: 0,
  maxAgeMs: undefined,
  onFailure: FAILURES,
};

const insert = (SequenceNumber: string, eventName: 'INSERT' | 'MODIFY' = 'INSERT'): WireRecord => ({
  eventID: SequenceNumber,
  eventName,
  eventSource: 'aws:dynamodb',
  awsRegion: 'ddblocal',
  dynamodb: {
    ApproximateCreationDateTime: new Date(60_000),
    Keys: { id: { S: SequenceNumber } },
    NewImage: { id: { S: SequenceNumber }, bytes: { B: new Uint8Array([1, 2]) } },
    SequenceNumber,
    SizeBytes: 7,
    StreamViewType: 'NEW_IMAGE',
  },
});

/** Shards with records, each read by its number in the list. */
function aSource(shards: Readonly<Record<string, { parent?: string; records: WireRecord[]; closed?: boolean }>>) {
  const source: StreamSource = {
    shards: async () => Object.entries(shards).map(([id, { parent }]) => ({ id, parentId: parent })),
    async iterator(shardId, position) {
      const all = shards[shardId]?.records ?? [];
      if (position === 'TRIM_HORIZON') return `${shardId} 0`;
      if (position === 'LATEST') return `${shardId} ${all.length}`;
      return `${shardId} ${all.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === position.after) + 1}`;
    },
    async records(iterator, limit) {
      const [shardId = '', from = '0'] = iterator.split(' ');
      const shard = shards[shardId];
      const records = shard?.records.slice(Number(from), Number(from) + limit) ?? [];
      const at = Number(from) + records.length;
      const isAtEnd = shard?.closed === true && at >= shard.records.length;
      return { records, next: isAtEnd ? undefined : `${shardId} ${at}` };
    },
  };
  return source;
}

let mapping: Mapping | undefined;
afterEach(async () => {
  mapping?.stop();
  await mapping?.ended;
});

interface Started {
  readonly batches: unknown[][];
  readonly sent: unknown[];
  readonly said: string[];
  readonly positions: Positions;
  /** Lets the wait that is running, or comes next, end. */
  tick(): void;
}

function start(
  source: StreamSource,
  {
    spec = {},
    answer = async () => DONE,
    denied = () => undefined,
    positions = new Map(),
    befalls = () => false,
  }: Options = {},
): Started {
  const batches: unknown[][] = [];
  const sent: unknown[] = [];
  const said: string[] = [];
  let waiting: (() => void) | undefined;
  mapping = startStreamMapping(
    { ...SPEC, ...spec },
    {
      source,
      region: 'us-east-1',
      access: {
        requireRead() {
          const message = denied('read');
          if (message !== undefined) throw new Error(message);
        },
        requireSend() {
          const message = denied('send');
          if (message !== undefined) throw new Error(message);
        },
      },
      invoke: async (_, payload) => {
        const { Records: records } = JSON.parse(payload);
        batches.push(records);
        return answer(records);
      },
      sendToQueue: async (queueArn, body) => {
        sent.push({ queueArn, ...JSON.parse(body) });
      },
      positions,
      now: () => 120_000,
      firstWaitMs: 100,
      timers: {
        after(_, run) {
          waiting = run;
          return () => {};
        },
      },
      troubles: { befalls },
      say: (text) => said.push(text),
    },
  );
  return { batches, sent, said, positions, tick: () => waiting?.() };
}

interface Options {
  readonly spec?: Partial<StreamMappingSpec>;
  readonly answer?: (records: { dynamodb: { SequenceNumber: string } }[]) => Promise<InvocationResult>;
  readonly denied?: (what: 'read' | 'send') => string | undefined;
  readonly positions?: Positions;
  readonly befalls?: (kind: MappingFaultKind) => boolean;
}

const DONE: InvocationResult = { kind: 'returned', payload: 'null' };

/** Ends when everything that needs no time has happened. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const numbers = ({ batches }: Started) =>
  batches.map((batch) =>
    batch.map((record) => (record as { dynamodb: { SequenceNumber: string } }).dynamodb.SequenceNumber).join(''),
  );

describe('the mapping of a stream', () => {
  it('gives the function its records as Lambda makes them', async () => {
    const started = start(aSource({ s: { records: [insert('1')] } }));
    await settle();

    expect(started.batches).toEqual([
      [
        {
          eventID: '1',
          eventName: 'INSERT',
          eventVersion: '1.1',
          eventSource: 'aws:dynamodb',
          awsRegion: 'us-east-1',
          dynamodb: {
            ApproximateCreationDateTime: 60,
            Keys: { id: { S: '1' } },
            NewImage: { id: { S: '1' }, bytes: { B: 'AQI=' } },
            SequenceNumber: '1',
            SizeBytes: 7,
            StreamViewType: 'NEW_IMAGE',
          },
          eventSourceARN: STREAM,
        },
      ],
    ]);
  });

  it('gives no more at a time than a batch has, and comes past what does not fit the filter', async () => {
    const started = start(
      aSource({ s: { records: [insert('1'), insert('2'), insert('3'), insert('4', 'MODIFY'), insert('5')] } }),
    );
    await settle();

    expect(numbers(started)).toEqual(['12', '3', '5']);
    expect(started.positions.get('s')).toEqual({ after: '5' });
  });

  it('sees what is written later', async () => {
    const records = [insert('1')];
    const started = start(aSource({ s: { records } }));
    await settle();

    records.push(insert('2'));
    started.tick();
    await settle();

    expect(numbers(started)).toEqual(['1', '2']);
  });

  it('goes on where it was, and begins at the end when it is told to', async () => {
    const source = aSource({ s: { records: [insert('1'), insert('2')] } });

    expect(numbers(await settled(start(source, { positions: new Map([['s', { after: '1' }]]) })))).toEqual(['2']);
    mapping?.stop();
    expect(numbers(await settled(start(source, { spec: { startAt: 'LATEST' } })))).toEqual([]);
  });

  it('goes on with the oldest record when the stream has forgotten where it was', async () => {
    const source = aSource({ s: { records: [insert('3')] } });
    const trimmed = Object.assign(new Error('trimmed'), { name: 'TrimmedDataAccessException' });
    const started = start(
      {
        ...source,
        iterator: (id, position) =>
          typeof position === 'string' ? source.iterator(id, position) : Promise.reject(trimmed),
      },
      { positions: new Map([['s', { after: '1' }]]) },
    );
    await settle();

    expect(numbers(started)).toEqual(['3']);
  });

  it.each(['TRIM_HORIZON', 'LATEST'] as const)(
    'sees the first record of a shard that was empty, whose iterator is then forgotten, from %s',
    async (startAt) => {
      const records: WireRecord[] = [];
      const source = aSource({ s: { records } });
      const trimmed = Object.assign(new Error('trimmed'), { name: 'TrimmedDataAccessException' });
      const forgotten = new Set<string>();
      let opened = 0;
      const started = start(
        {
          ...source,
          async iterator(id, position) {
            opened += 1;
            const iterator = `${await source.iterator(id, position)} #${opened}`;
            if (records.length === 0) forgotten.add(iterator);
            return iterator;
          },
          async records(iterator, limit) {
            if (records.length === 0) return { records: [], next: iterator };
            if (forgotten.has(iterator)) throw trimmed;
            return source.records(iterator, limit);
          },
        },
        { spec: { startAt } },
      );
      await settle();

      records.push(insert('1'));
      started.tick();
      await settle();

      expect(numbers(started)).toEqual(['1']);
      expect(started.said).toEqual([]);
    },
  );

  it('reads a shard after its parent', async () => {
    const started = start(
      aSource({
        child: { parent: 'old', records: [insert('2')] },
        old: { parent: 'forgotten', records: [insert('1')], closed: true },
      }),
    );
    await settle();

    expect(numbers(started)).toEqual(['1', '2']);
    expect(started.positions.get('old')).toBe('ended');
  });

  it('tells the failure destination where a batch is that it gives up, and goes on', async () => {
    const failing = async (records: { dynamodb: { SequenceNumber: string } }[]): Promise<InvocationResult> =>
      records[0]?.dynamodb.SequenceNumber === '1' ? { kind: 'failed', reason: 'x' } : DONE;
    const started = start(aSource({ s: { records: [insert('1'), insert('2'), insert('3')] } }), { answer: failing });
    await settle();

    expect(numbers(started)).toEqual(['12', '3']);
    expect(started.sent).toEqual([
      {
        queueArn: FAILURES,
        requestContext: {
          requestId: expect.any(String),
          functionArn: SPEC.functionArn,
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 1,
        },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        version: '1.0',
        timestamp: '1970-01-01T00:02:00.000Z',
        DDBStreamBatchInfo: {
          shardId: 's',
          startSequenceNumber: '1',
          endSequenceNumber: '2',
          approximateArrivalOfFirstRecord: '1970-01-01T00:01:00Z',
          approximateArrivalOfLastRecord: '1970-01-01T00:01:00Z',
          batchSize: 2,
          streamArn: STREAM,
        },
      },
    ]);
  });

  it('stands still without the grant to read, says so once, and goes on when it is given', async () => {
    let message: string | undefined = 'User: x is not authorized to perform: dynamodb:GetRecords';
    const started = start(aSource({ s: { records: [insert('1')] } }), { denied: () => message });
    await settle();
    started.tick();
    await settle();

    expect(started.batches).toEqual([]);
    expect(started.said).toEqual([`the stream mapping of dispatch stands still: ${message}`]);
    message = undefined;
    started.tick();
    await settle();
    expect(numbers(started)).toEqual(['1']);
  });

  it('goes on although it may not report what it gave up', async () => {
    const started = start(aSource({ s: { records: [insert('1'), insert('2'), insert('3')] } }), {
      answer: async () => ({ kind: 'failed', reason: 'x' }),
      denied: (what) => (what === 'send' ? 'not authorized' : undefined),
    });
    await settle();

    expect(numbers(started)).toEqual(['12', '3']);
    expect(started.sent).toEqual([]);
    expect(started.said).toContain('the failure destination did not take it: not authorized');
  });

  it('comes back by itself when the stream does not answer for a while', async () => {
    const source = aSource({ s: { records: [insert('1')] } });
    let isGone = true;
    const started = start({
      ...source,
      records: (iterator, limit) => (isGone ? Promise.reject(new Error('gone')) : source.records(iterator, limit)),
    });
    await settle();

    isGone = false;
    started.tick();
    await settle();

    expect(numbers(started)).toEqual(['1']);
  });

  it('gives the function a batch again that has worked, and goes on, when it is told to', async () => {
    const started = start(aSource({ s: { records: [insert('1'), insert('2'), insert('3')] } }), {
      befalls: (kind) => kind === 'batch-repeats',
    });
    await settle();

    expect(numbers(started)).toEqual(['12', '12', '3', '3']);
  });

  it('stands still for a while when a read is told to fail, and loses nothing', async () => {
    let fails = true;
    const started = start(aSource({ s: { records: [insert('1')] } }), {
      befalls: (kind) => kind === 'read-fails' && fails,
    });
    await settle();

    expect(numbers(started)).toEqual([]);
    expect(started.said).toEqual(['the stream mapping of dispatch stands still: local AWS was told to fail']);
    fails = false;
    started.tick();
    await settle();
    expect(numbers(started)).toEqual(['1']);
  });

  it('begins no batch while it is paused, and the pause waits for the one that runs', async () => {
    const answered = Promise.withResolvers<InvocationResult>();
    const records = [insert('1'), insert('2'), insert('3')];
    const started = start(aSource({ s: { records } }), { answer: () => answered.promise });
    await settle();
    const order: string[] = [];

    const paused = mapping?.pause().then(() => order.push('paused'));
    await settle();
    order.push('answered');
    answered.resolve(DONE);
    await paused;
    await settle();

    expect(order).toEqual(['answered', 'paused']);
    expect(numbers(started)).toEqual(['12']);
    mapping?.resume();
    await settle();
    expect(numbers(started)).toEqual(['12', '3']);
  });

  it('ends while it is paused, and while it waits', async () => {
    start(aSource({ s: { records: [] } }));
    await settle();
    await mapping?.pause();

    mapping?.stop();

    await expect(mapping?.ended).resolves.toBeUndefined();
  });
});

async function settled(started: Started): Promise<Started> {
  await settle();
  return started;
}
