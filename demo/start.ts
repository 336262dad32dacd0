import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { type LocalAwsOptions, startLocalAws } from '../local/start-local-aws.ts';
import { createProjectStack } from '../local/synth/project-stack.ts';
import { type Scale, scaledDown } from './scaled-down.ts';

/** The shortest that the stack allows: a lease is a second longer, and the run waits for many of them. */
const SHORTEST_TIMEOUT_SECONDS = 3;

/** Invocations at once: two cores carry no more beside those of receive. */
const WORK_CONCURRENCY = 4;

export type DemoAwsOptions = Pick<
  LocalAwsOptions,
  'beforeAnswer' | 'dataDirectory' | 'dynamodbEndpoint' | 'onNotice' | 'pool'
> & {
  readonly scale: Scale;
  /** Attempts before an event is parked. */
  readonly maxAttempts: number;
  /** How long one delivery may take. @default 3 */
  readonly receiveSeconds?: number;
  readonly plugins?: readonly Plugin[];
};

/** Local AWS on free ports with the sources and the consumer of the proof run; the sweep runs when it is told to. */
export const startDemoAws = ({
  scale,
  maxAttempts,
  receiveSeconds = SHORTEST_TIMEOUT_SECONDS,
  plugins = [],
  ...options
}: DemoAwsOptions) =>
  startLocalAws({
    ...options,
    stateFile: false,
    schedules: false,
    stack: (run) =>
      scaledDown(
        createProjectStack({
          ...run,
          sourcesFile: join(import.meta.dirname, 'sources.ts'),
          context: {
            receiveTimeoutSeconds: String(receiveSeconds),
            workTimeoutSeconds: String(SHORTEST_TIMEOUT_SECONDS),
            workConcurrency: String(WORK_CONCURRENCY),
            retryAfterSeconds: '1',
            maxAttempts: String(maxAttempts),
            sweepAfterSeconds: '5',
          },
          plugins: [...plugins, replaceConsumer],
        }),
        scale,
      ),
  });

const exampleConsumer = resolve(import.meta.dirname, '../lambda/handlers/consumer.ts');
const demoConsumer = join(import.meta.dirname, 'consumer.ts');

const replaceConsumer: Plugin = {
  name: 'replace-consumer',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/consumer\.ts$/ }, ({ path, resolveDir, importer }) =>
      resolve(resolveDir, path) === exampleConsumer && importer !== demoConsumer ? { path: demoConsumer } : undefined,
    ),
};
