import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { Credentials } from '../local-aws.ts';
import { Problem } from '../problem.ts';
import type { Guardian } from '../processes/guardian.ts';
import { findJava } from './find-java.ts';

export interface DynamoDbLocal {
  readonly url: string;
  readonly port: number;
  /** Resolves when its process ends, whoever ended it. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** How to sign for a database: DynamoDB Local keeps one for each access key and region. */
export interface DynamoDbAccess {
  readonly credentials: Credentials;
  readonly region: string;
}

export interface DynamoDbLocalOptions extends DynamoDbAccess {
  /** Keeps the tables here; in memory when left out. */
  readonly dataDirectory: string | undefined;
  readonly guardian: Guardian;
  /** @default a free one */
  readonly port?: number;
}

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * Starts DynamoDB Local and waits until it answers.
 *
 * It has no option for the address and so listens on every one. What protects it is that a
 * database is known by its access key, which is random here; cross-origin requests are refused.
 *
 * @throws Problem without Java, without the jar, or when it does not come to answer.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.UsageNotes.html
 */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  const java = await findJava(process.env);
  const emulator = findEmulator();
  const { port = await freePort() } = options;
  const storage = options.dataDirectory === undefined ? ['-inMemory'] : ['-dbPath', options.dataDirectory];
  const child = spawn(
    java,
    [
      // Short-lived and small: start-up time counts for more than peak speed.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-Xmx512m',
      `-Djava.library.path=${join(emulator, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(emulator, 'DynamoDBLocal.jar'),
      '-port',
      String(port),
      '-disableTelemetry',
      '-cors',
      'http://127.0.0.1',
      ...storage,
    ],
    { cwd: emulator, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  options.guardian.guard(child);
  const ended = once(child, 'exit').catch(() => undefined);
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk) => {
      said = (said + chunk).slice(-2000);
    });
  }

  const url = `http://127.0.0.1:${port}`;
  const answers = await waitUntilItAnswers(url, options, () => child.exitCode !== null || child.signalCode !== null);
  if (!answers) {
    child.kill('SIGKILL');
    throw new Problem(`DynamoDB Local does not start: ${said.trim().split('\n').at(-1) || 'it said nothing'}`);
  }
  return {
    url,
    port,
    ended,
    async stop() {
      // It answers SIGTERM by closing its database first; one in memory has none.
      child.kill(options.dataDirectory === undefined ? 'SIGKILL' : 'SIGTERM');
      await ended;
    },
  };
}

function findEmulator(): string {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('amplify-dynamodb-simulator/package.json')),
    'emulator',
  );
  if (!existsSync(join(folder, 'DynamoDBLocal.jar'))) throw new Problem('DynamoDB Local is not installed: run npm ci');
  return folder;
}

async function waitUntilItAnswers(url: string, access: DynamoDbAccess, hasEnded: () => boolean): Promise<boolean> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAt && !hasEnded()) {
    if (await isAnswering(url, access)) return true;
    await delay(POLL_MS);
  }
  return false;
}

/** Whether DynamoDB answers at a URL, asked once. */
export async function isAnswering(url: string, { credentials, region }: DynamoDbAccess): Promise<boolean> {
  // A copy of the credentials, because the client adds a field to those it is given.
  const client = new DynamoDBClient({ endpoint: url, region, credentials: { ...credentials }, maxAttempts: 1 });
  try {
    await client.send(new ListTablesCommand({}));
    return true;
  } catch {
    return false;
  } finally {
    client.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
