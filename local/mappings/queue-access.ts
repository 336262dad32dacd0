import type { Authorizer } from '../iam/iam.ts';

/** What Lambda does in the name of the function.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
const NEEDED = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/**
 * Makes sure that the role of a function allows its queue to be polled.
 *
 * @throws Error in AWS's words when it does not.
 */
export function requireQueueAccess(
  iam: Pick<Authorizer, 'authorize'>,
  { functionKey, queueArn }: { readonly functionKey: string; readonly queueArn: string },
): void {
  for (const action of NEEDED) {
    const denial = iam.authorize({
      functionKey,
      instanceId: 'mapping',
      action: `sqs:${action}`,
      resource: queueArn,
    });
    if (denial !== undefined) throw new Error(denial.message);
  }
}
