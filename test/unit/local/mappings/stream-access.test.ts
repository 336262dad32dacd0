import { describe, expect, it } from 'vitest';
import { createIam } from '../../../../local/iam/iam.ts';
import { createStreamAccess } from '../../../../local/mappings/stream-access.ts';
import { A_PLACE } from '../fixtures/a-template.ts';
import { allow, aRole, OUTBOX } from '../iam/a-role.ts';

const STREAM = `${OUTBOX}/stream/2000-01-01T00:00:00.000`;
const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:failures';
const READS = ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'].map((action) => `dynamodb:${action}`);

async function accessWith(...statements: readonly object[]) {
  const iam = createIam(A_PLACE, () => {});
  await iam.replace([aRole(...statements)]);
  return { iam, access: createStreamAccess(iam, { functionKey: 'receive', streamArn: STREAM }) };
}

describe('what the role of a function must allow for its stream', () => {
  it('is to read it, and each of these grants then counts as used', async () => {
    const { iam, access } = await accessWith(allow(READS, STREAM));

    access.requireRead();

    expect(iam.unusedGrants()).toEqual([]);
  });

  it.each(READS)('is %s, which is missed by name', async (missing) => {
    const { access } = await accessWith(
      allow(
        READS.filter((action) => action !== missing),
        STREAM,
      ),
    );

    expect(() => access.requireRead()).toThrow(`is not authorized to perform: ${missing} on resource: ${STREAM}`);
  });

  it('is to send to the failure destination, and to no other queue', async () => {
    const { access } = await accessWith(allow('sqs:SendMessage', QUEUE));

    access.requireSend(QUEUE);

    expect(() => access.requireSend(`${QUEUE}-other`)).toThrow('is not authorized to perform: sqs:SendMessage');
  });
});
