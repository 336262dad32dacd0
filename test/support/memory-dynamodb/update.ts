import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { assertNever } from '../../../lambda/core/assert-never.ts';
import type { Item } from './attribute-value.ts';
import { addDecimals, formatDecimal, negateDecimal, parseDecimal } from './decimal.ts';
import { valueAt } from './document-path.ts';
import { validationException } from './errors.ts';
import type { Assigned, Path, UpdateAction } from './expression.ts';
import { withMembers, withoutMembers } from './set-members.ts';

const wrongType = () => validationException('An operand in the update expression has an incorrect data type');
const invalidPath = () =>
  validationException('The document path provided in the update expression is invalid for update');
const missingAttribute = () =>
  validationException('The provided expression refers to an attribute that does not exist in the item');

function addNumbers(left: AttributeValue, right: AttributeValue, sign: 1 | -1): AttributeValue {
  if (left.N === undefined || right.N === undefined) throw wrongType();
  const addend = parseDecimal(right.N);
  return { N: formatDecimal(addDecimals(parseDecimal(left.N), sign === 1 ? addend : negateDecimal(addend))) };
}

/** The value a SET assigns. Everything is read from the item as it was before the update. */
function resolve(assigned: Assigned, old: Item): AttributeValue {
  switch (assigned.kind) {
    case 'value':
      return assigned.value;
    case 'path': {
      const value = valueAt(old, assigned.path);
      if (value === undefined) throw missingAttribute();
      return value;
    }
    case 'plus':
      return addNumbers(resolve(assigned.left, old), resolve(assigned.right, old), 1);
    case 'minus':
      return addNumbers(resolve(assigned.left, old), resolve(assigned.right, old), -1);
    case 'if-not-exists':
      return valueAt(old, assigned.path) ?? resolve(assigned.otherwise, old);
    case 'list-append': {
      const left = resolve(assigned.left, old).L;
      const right = resolve(assigned.right, old).L;
      if (left === undefined || right === undefined) throw wrongType();
      return { L: [...left, ...right] };
    }
    default:
      return assertNever(assigned);
  }
}

type Edit = { readonly path: Path; readonly value: AttributeValue | undefined };

/** What an action puts at its path; an `undefined` value removes it. */
function editOf(action: UpdateAction, old: Item): Edit {
  const { path } = action;
  const existing = valueAt(old, path);
  switch (action.kind) {
    case 'set':
      return { path, value: resolve(action.to, old) };
    case 'remove':
      return { path, value: undefined };
    case 'add':
      if (action.value.N !== undefined) return { path, value: addNumbers(existing ?? { N: '0' }, action.value, 1) };
      return { path, value: existing === undefined ? action.value : (withMembers(existing, action.value) ?? fail()) };
    case 'delete': {
      if (existing === undefined) return { path, value: undefined };
      const left = withoutMembers(existing, action.value) ?? fail();
      return { path, value: left === 'empty' ? undefined : left };
    }
    default:
      return assertNever(action);
  }
}

function fail(): never {
  throw wrongType();
}

function applyEdit(root: AttributeValue, { path, value }: Edit): void {
  const parent = path.slice(0, -1).reduce<AttributeValue | undefined>((at, segment) => {
    return typeof segment === 'number' ? at?.L?.[segment] : at?.M?.[segment];
  }, root);
  const last = path.at(-1);
  if (typeof last === 'number') {
    if (parent?.L === undefined) throw invalidPath();
    if (value === undefined) parent.L.splice(last, 1);
    else parent.L[Math.min(last, parent.L.length)] = value;
    return;
  }
  if (parent?.M === undefined || last === undefined) throw invalidPath();
  if (value === undefined) delete parent.M[last];
  else parent.M[last] = value;
}

const lastIndex = (edit: Edit): number => {
  const last = edit.path.at(-1);
  return typeof last === 'number' ? last : -1;
};

/**
 * Applies all actions of an update expression to a copy of the item. Assignments come before removals, so that a
 * list index always means the element of the old list; an index beyond the end appends.
 * @throws ValidationException for a path whose parent is missing, an operand that is missing or of a wrong type.
 */
export function applyUpdate(old: Item, actions: readonly UpdateAction[]): Item {
  const edits = actions.map((action) => editOf(action, old));
  const roots = new Set(edits.filter((edit) => edit.path.length > 1).map((edit) => String(edit.path[0])));
  const draft = Object.fromEntries(
    Object.entries(old).map(([name, value]) => [name, roots.has(name) ? structuredClone(value) : value]),
  );
  const assignments = edits.filter((edit) => edit.value !== undefined);
  const removals = edits.filter((edit) => edit.value === undefined);
  const inOrder = [
    ...assignments.toSorted((a, b) => lastIndex(a) - lastIndex(b)),
    ...removals.toSorted((a, b) => lastIndex(b) - lastIndex(a)),
  ];
  for (const edit of inOrder) applyEdit({ M: draft }, structuredClone(edit));
  return draft;
}
