import type { FunctionSpec } from '../functions/function-spec.ts';
import type { FunctionRole, Policy } from '../iam/function-role.ts';
import { Problem } from '../problem.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import { listOf, type Resource, recordOf, type Template } from './template.ts';

/**
 * The role of each function with the policies that the stack gives it, in the role and attached to it.
 *
 * @throws Problem for a role or policy whose text is not in the template: nothing would check calls
 * against it here.
 */
export function readFunctionRoles(
  template: Template,
  resolver: Resolver,
  functions: readonly FunctionSpec[],
): readonly FunctionRole[] {
  return functions.map(({ logicalId, key, name, logGroup }) => {
    const role = roleOf(logicalId, template);
    return {
      functionKey: key,
      functionName: name,
      roleName: resolver.text({ Ref: role.logicalId }, `${logicalId}.Role`),
      logGroup,
      policies: [...inlinePolicies(role, resolver), ...attachedPolicies(role, template, resolver)],
    };
  });
}

function roleOf(functionId: string, template: Template): Resource {
  const reference = recordOf(template.resources.get(functionId)?.properties['Role']);
  const [roleId, attribute] = listOf(reference['Fn::GetAtt']);
  const role = attribute === 'Arn' ? template.resources.get(String(roleId)) : undefined;
  if (role?.type !== 'AWS::IAM::Role') {
    throw new Problem(`${functionId} has a role of another stack: local AWS needs the role in the template`);
  }
  if (role.properties['PermissionsBoundary'] !== undefined) {
    throw new Problem(`${role.logicalId} has a permissions boundary, which local AWS cannot read`);
  }
  const managed = listOf(role.properties['ManagedPolicyArns']);
  const foreign = managed.find((policy) => managedIn(template, policy) === undefined);
  if (foreign !== undefined) {
    throw new Problem(
      `${role.logicalId} has the managed policy ${JSON.stringify(foreign)}, whose text local AWS does not have: ` +
        'write its statements into the stack',
    );
  }
  return role;
}

const inlinePolicies = ({ logicalId, properties }: Resource, resolver: Resolver): readonly Policy[] =>
  listOf(properties['Policies'])
    .map(recordOf)
    .map((policy) => readPolicy(policy, logicalId, resolver));

function attachedPolicies(role: Resource, template: Template, resolver: Resolver): readonly Policy[] {
  const attached = new Set(
    listOf(role.properties['ManagedPolicyArns']).flatMap((policy) => managedIn(template, policy) ?? []),
  );
  return resourcesOf(template, 'AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .filter((policy) => attached.has(policy) || namesRole(policy, role))
    .map(({ logicalId, properties }) => readPolicy({ PolicyName: logicalId, ...properties }, logicalId, resolver));
}

const namesRole = ({ properties }: Resource, role: Resource): boolean =>
  listOf(properties['Roles']).some((name) => recordOf(name)['Ref'] === role.logicalId);

function managedIn(template: Template, reference: unknown): Resource | undefined {
  const policy = template.resources.get(String(recordOf(reference)['Ref']));
  return policy?.type === 'AWS::IAM::ManagedPolicy' ? policy : undefined;
}

/**
 * A managed policy of the stack, by its logical id or ARN, with every reference resolved.
 *
 * @throws Problem when there is none, or it names what has no ARN here.
 */
export function readManagedPolicy(
  template: Template,
  resolver: Resolver,
  idOrArn: string,
): Readonly<Record<string, unknown>> {
  const found = resourcesOf(template, 'AWS::IAM::ManagedPolicy').find(
    ({ logicalId }) => idOrArn === logicalId || idOrArn === resolver.text({ Ref: logicalId }, logicalId),
  );
  if (found === undefined) throw new Problem(`the stack has no managed policy ${idOrArn}`);
  return recordOf(resolver.resolve(found.properties['PolicyDocument'], found.logicalId));
}

function readPolicy(policy: Readonly<Record<string, unknown>>, where: string, resolver: Resolver): Policy {
  const name = resolver.text(policy['PolicyName'], `${where}.PolicyName`);
  return { name, document: recordOf(resolver.resolve(policy['PolicyDocument'], `${where}.${name}`)) };
}
