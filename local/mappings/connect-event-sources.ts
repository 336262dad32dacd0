import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { InvocationResult } from '../functions/invocation.ts';
import { systemTimers } from '../functions/timers.ts';
import type { Authorizer } from '../iam/iam.ts';
import type { SqsServer } from '../sqs/sqs-server.ts';
import type { Place } from '../template/physical-names.ts';
import { createEventSources, type EventSources } from './event-sources.ts';
import { openPositions } from './positions.ts';
import { requireQueueAccess } from './queue-access.ts';
import { startQueueMapping } from './queue-mapping.ts';
import { startSchedule } from './schedule.ts';
import { createStreamAccess } from './stream-access.ts';
import { startStreamMapping } from './stream-mapping.ts';
import { createStreamSource } from './stream-source.ts';

export interface EventSourceServices {
  readonly place: Place;
  readonly dynamodb: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  readonly iam: Pick<Authorizer, 'authorize'>;
  readonly sqs: Pick<SqsServer, 'send' | 'receive' | 'deleteMessages'>;
  readonly invoke: (functionName: string, payload: string) => Promise<InvocationResult>;
  /** Most batches that a queue's function has in hand at a time, whatever its mapping says. */
  readonly mostBatches: number;
  /** Whether schedules run by themselves. */
  readonly schedules: boolean;
  /** Keeps how far the streams have been read; `undefined` keeps it in memory. */
  readonly positionsFile: string | undefined;
  /** Before a batch that failed comes again for the first time. */
  readonly firstWaitMs: number;
  readonly say: (functionKey: string, text: string) => void;
}

/** Streams, queues and schedules on the services that run here. */
export function connectEventSources(services: EventSourceServices): EventSources {
  const { place, dynamodb, streams, iam, sqs, invoke, say, mostBatches } = services;
  const positionsOf = openPositions(services.positionsFile);
  const time = { now: Date.now, timers: systemTimers };

  return createEventSources({
    startMapping(spec, troubles) {
      const deps = {
        ...time,
        region: place.region,
        invoke,
        troubles,
        say: (text: string) => say(spec.functionKey, text),
      };
      return spec.from === 'queue'
        ? startQueueMapping(
            { ...spec, maxConcurrency: Math.min(spec.maxConcurrency, mostBatches) },
            { ...deps, queue: sqs, requireAccess: () => requireQueueAccess(iam, spec) },
          )
        : startStreamMapping(spec, {
            ...deps,
            source: createStreamSource(dynamodb, streams, spec.tableName),
            access: createStreamAccess(iam, spec),
            sendToQueue: (queueArn, body) => sqs.send(queueArn.split(':').at(-1) ?? '', body),
            positions: positionsOf(spec.logicalId),
            firstWaitMs: services.firstWaitMs,
          });
    },
    startSchedule: (spec) => startSchedule(spec, { ...time, place, invoke, byItself: services.schedules }),
  });
}
