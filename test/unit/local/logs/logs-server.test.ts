import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogFeed, type WritableLogFeed } from '../../../../local/functions/log-feed.ts';
import type { ServiceServer } from '../../../../local/gateway/service-server.ts';
import { startLogsServer } from '../../../../local/logs/logs-server.ts';

const GROUP = 'Oncehook-dev-ReceiveLogs';
const ARN = `arn:aws:logs:us-east-1:000000000000:log-group:${GROUP}:*`;

let now = 1000;
let logs: WritableLogFeed;
let server: ServiceServer;
let client: CloudWatchLogsClient;

const clientWith = (accessKeyId: string) =>
  new CloudWatchLogsClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'x' },
    maxAttempts: 1,
  });

beforeEach(async () => {
  now = 1000;
  logs = createLogFeed(() => now);
  server = await startLogsServer({
    accessKeyId: 'LOCAL1',
    logs,
    logGroups: () =>
      new Map([
        [GROUP, ['receive']],
        ['Oncehook-dev-AccessLog', []],
      ]),
  });
  client = clientWith('LOCAL1');
});
afterEach(async () => {
  client.destroy();
  await server.close();
});

function write(text: string, { functionKey = 'receive', from = 'function' as const, atMs = 1000 } = {}): void {
  now = atMs;
  logs.write({ functionKey, instanceId: 'i-1', from, text });
}

async function messages(input: Partial<FilterLogEventsCommandInput>) {
  const { events = [] } = await client.send(new FilterLogEventsCommand({ logGroupName: GROUP, ...input }));
  return events.map(({ message }) => message);
}

describe('CloudWatch Logs here, asked by the SDK', () => {
  it('has the lines of the group’s functions with their times, by name and by ARN', async () => {
    write('one');
    write('of another function', { functionKey: 'work' });
    logs.write({ functionKey: 'receive', instanceId: 'i-1', from: 'platform', text: 'access denied' });

    const { events } = await client.send(new FilterLogEventsCommand({ logGroupName: GROUP }));
    const byArn = await messages({ logGroupName: undefined, logGroupIdentifier: ARN });

    expect(events).toEqual([
      {
        message: 'one',
        timestamp: 1000,
        ingestionTime: 1000,
        logStreamName: 'local/[$LATEST]i-1',
        eventId: expect.stringMatching(/^\d{56}$/),
      },
    ]);
    expect(byArn).toEqual(['one']);
  });

  it('has those from the start to the end, both included', async () => {
    for (const atMs of [999, 1000, 2000, 2001]) write(String(atMs), { atMs });

    expect(await messages({ startTime: 1000, endTime: 2000 })).toEqual(['1000', '2000']);
  });

  it('has those that fit the pattern', async () => {
    for (const outcome of ['processed', 'duplicate']) write(JSON.stringify({ outcome, source: 'stripe' }));

    const found = await messages({ filterPattern: '{ $.outcome = "duplicate" && $.source = "stripe" }' });

    expect(found).toEqual(['{"outcome":"duplicate","source":"stripe"}']);
  });

  it('goes on from page to page, over pages on which nothing fits', async () => {
    for (let n = 0; n < 2500; n += 1) write(n % 2400 === 0 ? 'found' : 'other');

    const pages: number[] = [];
    for await (const { events = [] } of paginateFilterLogEvents(
      { client },
      { logGroupName: GROUP, filterPattern: 'found' },
    ))
      pages.push(events.length);

    expect(pages).toEqual([1, 0, 1]);
  });

  it('gives as many as the limit, and the others after the token', async () => {
    for (const text of ['a', 'b', 'c']) write(text);

    const first = await client.send(new FilterLogEventsCommand({ logGroupName: GROUP, limit: 2 }));
    const second = await client.send(
      new FilterLogEventsCommand({ logGroupName: GROUP, limit: 2, nextToken: first.nextToken }),
    );

    expect(first.events?.map(({ message }) => message)).toEqual(['a', 'b']);
    expect(second.events?.map(({ message }) => message)).toEqual(['c']);
    expect(second.nextToken).toBeUndefined();
  });

  it('refuses what CloudWatch Logs refuses', async () => {
    await expect(messages({ logGroupName: 'other' })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(messages({ limit: 0 })).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await expect(messages({ limit: 10_001 })).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await expect(messages({ nextToken: 'x' })).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await expect(messages({ filterPattern: '{ oops' })).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect(await messages({ limit: 10_000, logGroupName: 'Oncehook-dev-AccessLog' })).toEqual([]);
  });

  it('answers nobody else’s access key', async () => {
    const stranger = clientWith('LOCAL2');

    await expect(stranger.send(new FilterLogEventsCommand({ logGroupName: GROUP }))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
    stranger.destroy();
  });
});
