import { Problem } from '../problem.ts';
import { type DynamoDbLocal, type DynamoDbLocalOptions, startDynamoDbLocal } from './dynamodb-local.ts';

export interface RestartableDynamoDb extends Pick<DynamoDbLocal, 'url'> {
  /** Resolves when its process ends and is not started again. */
  readonly ended: Promise<void>;
  /**
   * Ends it and starts it again at the same port; resolves when it answers. It is asked to end and not killed
   * (SIGKILL), because it then forgets some writes that it has answered, which DynamoDB never does.
   *
   * @throws Error in memory, because everything would be gone.
   * @throws Problem when it does not start again.
   */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whoever calls while nothing listens can hold the port for a moment: TCP may connect a port to itself. */
const START_ATTEMPTS = 3;

/** Starts DynamoDB Local. @throws Problem as {@link startDynamoDbLocal} does. */
export async function startRestartable(options: DynamoDbLocalOptions): Promise<RestartableDynamoDb> {
  const ended = Promise.withResolvers<void>();
  let local = await startDynamoDbLocal(options);
  const { url, port } = local;
  let restarting: Promise<void> | undefined;
  watch(local);

  function watch(started: DynamoDbLocal): void {
    void started.ended.then(() => {
      if (started === local && restarting === undefined) ended.resolve();
    });
  }

  async function startAgain(): Promise<void> {
    await local.stop();
    for (let attempt = 1; ; attempt += 1) {
      try {
        local = await startDynamoDbLocal({ ...options, port });
        watch(local);
        return;
      } catch (error) {
        if (attempt < START_ATTEMPTS && error instanceof Problem) continue;
        ended.resolve();
        throw error;
      }
    }
  }

  return {
    url,
    ended: ended.promise,
    async restart() {
      if (options.dataDirectory === undefined)
        throw new Error('DynamoDB Local in memory would come back empty: give it a data directory');
      restarting ??= startAgain().finally(() => {
        restarting = undefined;
      });
      await restarting;
    },
    async stop() {
      await restarting?.catch(() => undefined);
      await local.stop();
    },
  };
}
