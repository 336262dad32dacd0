import { runSimulation, runUnsafeSimulation, type Simulation } from '@cloud-copilot/iam-simulate';
import { Problem } from '../problem.ts';
import type { Place } from '../template/physical-names.ts';
import type { FunctionRole } from './function-role.ts';

export type Verdict = 'Allowed' | 'ExplicitlyDenied' | 'ImplicitlyDenied';

/** The session of a function's role, as AWS names it in a refusal. */
export const sessionArn = ({ roleName, functionName }: FunctionRole, { accountId }: Place): string =>
  `arn:aws:sts::${accountId}:assumed-role/${roleName}/${functionName}`;

/**
 * IAM's verdict on one call. Of the condition keys only those that are the same for every call are
 * known, so a statement with another condition allows nothing and forbids nothing here.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export const evaluate = (role: FunctionRole, place: Place, action: string, resource: string): Verdict =>
  runUnsafeSimulation(simulationOf(role, place, action, resource), {});

/**
 * Makes sure that IAM would take a role's policies.
 *
 * @throws Problem with the first policy that it would not.
 */
export async function checkPolicies(role: FunctionRole, place: Place): Promise<void> {
  const answer = await runSimulation(simulationOf(role, place, 'sts:GetCallerIdentity', '*'), {});
  if (answer.resultType !== 'error') return;
  const [first] = Object.entries(answer.errors.identityPolicyErrors ?? {});
  const reason = first === undefined ? answer.errors.message : `${first[0]}: ${first[1].map(({ message }) => message)}`;
  throw new Problem(`IAM would not take a policy of ${role.roleName}: ${reason}`);
}

function simulationOf(role: FunctionRole, place: Place, action: string, resource: string): Simulation {
  const principal = sessionArn(role, place);
  return {
    request: {
      action,
      principal,
      resource: { resource, accountId: place.accountId },
      contextVariables: {
        'aws:PrincipalAccount': place.accountId,
        'aws:PrincipalArn': `arn:aws:iam::${place.accountId}:role/${role.roleName}`,
        'aws:RequestedRegion': place.region,
        'aws:ResourceAccount': place.accountId,
        'aws:SecureTransport': 'true',
      },
    },
    identityPolicies: role.policies.map(({ name, document }) => ({ name, policy: document })),
    serviceControlPolicies: [],
    resourceControlPolicies: [],
  };
}
