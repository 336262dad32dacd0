/**
 * What is wrong with one entry of `on`, a handler or a rule. Types are gone when the code runs, and a
 * rule that is not what it looks like would be found by the first event, or leave it out of order.
 *
 * @returns the ends of sentences that begin with the event type.
 */
export function ruleProblems(entry: unknown): readonly string[] {
  if (typeof entry === 'function') return [];
  if (!isRecord(entry) || typeof entry['handle'] !== 'function') return ['needs a handler'];
  return [
    ...unknownOptions(entry, '', RULE_OPTIONS),
    ...orderProblems(entry['order']),
    ...schemaProblems(entry['schema']),
  ];
}

const RULE_OPTIONS = ['handle', 'order', 'schema'];
const ORDER_OPTIONS = ['resource', 'sequence', 'tie'];

function orderProblems(order: unknown): readonly string[] {
  if (order === undefined) return [];
  if (!isRecord(order)) return ['needs order to be an object with resource and sequence'];
  const { resource, sequence, tie } = order;
  return [
    ...unknownOptions(order, 'order.', ORDER_OPTIONS),
    ...(typeof resource === 'function' ? [] : ['needs order.resource to be a function of the event']),
    ...(typeof sequence === 'function' ? [] : ['needs order.sequence to be a function of the event']),
    ...(tie === undefined || tie === 'drop' || tie === 'apply' ? [] : ["needs order.tie to be 'drop' or 'apply'"]),
  ];
}

/** @see https://standardschema.dev */
function schemaProblems(schema: unknown): readonly string[] {
  if (schema === undefined) return [];
  const standard = isRecord(schema) || typeof schema === 'function' ? Reflect.get(schema, '~standard') : undefined;
  return isRecord(standard) && typeof standard['validate'] === 'function'
    ? []
    : ['needs schema to be a Standard Schema, with ~standard.validate'];
}

const unknownOptions = (options: object, prefix: string, known: readonly string[]): readonly string[] =>
  Object.keys(options)
    .filter((option) => !known.includes(option))
    .map((option) => `has the unknown option ${prefix}${option}; known are ${known.join(', ')}`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
