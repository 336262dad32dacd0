import type { WritableLogFeed } from '../functions/log-feed.ts';
import type { Place } from '../template/physical-names.ts';
import type { Authorizer } from './iam.ts';

/**
 * Collects a function's own lines only if its role may write them: Lambda sends them to CloudWatch
 * with the function's role, and without the grant they are silently gone. What the platform says of
 * the function is kept in any case, the refusal among it.
 */
export function collectWithGrant(
  logs: WritableLogFeed,
  iam: Authorizer,
  { region, accountId }: Place,
): WritableLogFeed {
  /** Instances whose lines are refused; said once of each. */
  const refused = new Set<string>();

  return {
    ...logs,
    get entries() {
      return logs.entries;
    },
    write(line) {
      if (line.from === 'platform' || mayWrite(line.functionKey, line.instanceId)) logs.write(line);
    },
  };

  function mayWrite(functionKey: string, instanceId: string): boolean {
    const logGroup = iam.roleOf(functionKey)?.logGroup;
    if (refused.has(instanceId)) return false;
    const resource = `arn:aws:logs:${region}:${accountId}:log-group:${logGroup}:log-stream:local/[$LATEST]${instanceId}`;
    const denial = ['logs:CreateLogStream', 'logs:PutLogEvents'].find(
      (action) => iam.authorize({ functionKey, instanceId, action, resource }) !== undefined,
    );
    if (denial !== undefined) refused.add(instanceId);
    return denial === undefined;
  }
}
