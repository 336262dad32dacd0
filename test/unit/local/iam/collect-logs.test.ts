import { describe, expect, it } from 'vitest';
import { createLogFeed } from '../../../../local/functions/log-feed.ts';
import { collectWithGrant } from '../../../../local/iam/collect-logs.ts';
import { createIam } from '../../../../local/iam/iam.ts';
import { A_PLACE } from '../fixtures/a-template.ts';
import { allow, aRole } from './a-role.ts';

const GROUP = 'arn:aws:logs:us-east-1:000000000000:log-group:Oncehook-dev-ReceiveLogs';

async function feedWith(...statements: readonly object[]) {
  const denials: string[] = [];
  const iam = createIam(A_PLACE, ({ message }) => denials.push(message));
  await iam.replace([aRole(...statements)]);
  const logs = createLogFeed();
  const write = (from: 'function' | 'platform', instanceId: string) =>
    collected.write({ functionKey: 'receive', instanceId, from, text: `${from} of ${instanceId}` });
  const collected = collectWithGrant(logs, iam, A_PLACE);
  return { iam, logs, write, denials, collected };
}

describe('a function’s log', () => {
  it('is kept when its role may make a stream and write to it', async () => {
    const { iam, logs, write, collected } = await feedWith(
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], `${GROUP}:*`),
    );

    write('function', 'i-1');

    expect(logs.entries.map(({ text }) => text)).toEqual(['function of i-1']);
    expect(collected.entries).toBe(logs.entries);
    expect(iam.unusedGrants()).toEqual([]);
  });

  it.each(['logs:CreateLogStream', 'logs:PutLogEvents'])(
    'is lost with %s alone, which is said once an instance, and what the platform says is kept',
    async (action) => {
      const { logs, write, denials } = await feedWith(allow(action, `${GROUP}:*`));

      for (const instance of ['i-1', 'i-1', 'i-2']) write('function', instance);
      write('platform', 'i-1');

      expect(logs.entries.map(({ text }) => text)).toEqual(['platform of i-1']);
      expect(denials).toEqual([
        expect.stringContaining(`${GROUP}:log-stream:local/[$LATEST]i-1`),
        expect.stringContaining(`${GROUP}:log-stream:local/[$LATEST]i-2`),
      ]);
    },
  );
});
