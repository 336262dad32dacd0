import { listOf, recordOf } from '../template/template.ts';
import type { Access, FunctionRole, Policy } from './function-role.ts';

/** Each action on each resource that a role's statements name, once for each statement. */
export function grantsOf(role: FunctionRole): readonly Access[] {
  return role.policies
    .flatMap(allowsOf)
    .flatMap((statement) =>
      textsOf(statement['Action']).flatMap((action) =>
        textsOf(statement['Resource']).map((resource) => ({ functionKey: role.functionKey, action, resource })),
      ),
    );
}

/** The role with one grant taken out of every statement that names it, and everything else as it was. */
export function withoutGrant(role: FunctionRole, grant: Access): FunctionRole {
  if (grant.functionKey !== role.functionKey) return role;
  return {
    ...role,
    policies: role.policies.map(({ name, document }) => ({
      name,
      document: { ...document, Statement: statementsOf(document).flatMap((each) => narrow(each, grant)) },
    })),
  };
}

/** Whether a grant, with its wildcards, is one that allows this access. */
export const covers = (grant: Access, access: Access): boolean =>
  grant.functionKey === access.functionKey &&
  matches(grant.action.toLowerCase(), access.action.toLowerCase()) &&
  matches(grant.resource, access.resource);

type Statement = Readonly<Record<string, unknown>>;

const allowsOf = ({ document }: Policy): readonly Statement[] =>
  statementsOf(document).filter((statement) => statement['Effect'] === 'Allow');

/** A document may have one statement outside a list. */
const statementsOf = (document: Statement): readonly Statement[] => {
  const statements = document['Statement'];
  return (Array.isArray(statements) ? statements : [statements]).map(recordOf);
};

function narrow(statement: Statement, { action, resource }: Access): readonly Statement[] {
  const [actions, resources] = [textsOf(statement['Action']), textsOf(statement['Resource'])];
  if (statement['Effect'] !== 'Allow' || !actions.includes(action) || !resources.includes(resource)) return [statement];
  const narrowed: readonly Statement[] = [
    { ...statement, Action: actions.filter((each) => each !== action) },
    { ...statement, Action: [action], Resource: resources.filter((each) => each !== resource) },
  ];
  return narrowed.filter((each) => textsOf(each['Action']).length > 0 && textsOf(each['Resource']).length > 0);
}

const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : listOf(value).filter((each) => typeof each === 'string');

/** `*` stands for any text and `?` for one character. */
function matches(pattern: string, text: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 's').test(text);
}
