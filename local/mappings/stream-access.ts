import type { Authorizer } from '../iam/iam.ts';

/**
 * Lambda polls in the name of the function: what its role must allow for that.
 *
 * Both throw an Error in AWS's words when the role does not.
 */
export interface StreamAccess {
  /** To read the stream. */
  requireRead(): void;
  /** To report a discarded batch. */
  requireSend(queueArn: string): void;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html */
const READS = ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'];

export function createStreamAccess(
  iam: Pick<Authorizer, 'authorize'>,
  { functionKey, streamArn }: { readonly functionKey: string; readonly streamArn: string },
): StreamAccess {
  function require(action: string, resource: string): void {
    const denial = iam.authorize({ functionKey, instanceId: 'mapping', action, resource });
    if (denial !== undefined) throw new Error(denial.message);
  }

  return {
    requireRead() {
      for (const action of READS) require(`dynamodb:${action}`, streamArn);
    },
    requireSend: (queueArn) => require('sqs:SendMessage', queueArn),
  };
}
