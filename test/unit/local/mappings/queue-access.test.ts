import { describe, expect, it } from 'vitest';
import { createIam } from '../../../../local/iam/iam.ts';
import { requireQueueAccess } from '../../../../local/mappings/queue-access.ts';
import { A_PLACE } from '../fixtures/a-template.ts';
import { allow, aRole } from '../iam/a-role.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:events';
const NEEDED = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

async function iamWith(actions: readonly string[]) {
  const iam = createIam(A_PLACE, () => {});
  await iam.replace([aRole(allow(actions, QUEUE))]);
  return iam;
}

describe('what the role of a function must allow for its queue', () => {
  it('is to poll it, and each of these grants then counts as used', async () => {
    const iam = await iamWith(NEEDED);

    requireQueueAccess(iam, { functionKey: 'receive', queueArn: QUEUE });

    expect(iam.unusedGrants()).toEqual([]);
  });

  it.each(NEEDED)('is %s, which is missed by name', async (missing) => {
    const iam = await iamWith(NEEDED.filter((action) => action !== missing));

    expect(() => requireQueueAccess(iam, { functionKey: 'receive', queueArn: QUEUE })).toThrow(
      `is not authorized to perform: ${missing} on resource: ${QUEUE}`,
    );
  });
});
