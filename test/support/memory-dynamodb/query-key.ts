import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { typeOf } from './attribute-value.ts';
import { validationException } from './errors.ts';
import type { Condition, Operand } from './expression.ts';
import type { KeyAttribute, KeySchema } from './key-schema.ts';

const notSupported = () => validationException('Query key condition not supported');

interface Term {
  readonly name: string;
  readonly isEquality: boolean;
  readonly values: readonly AttributeValue[];
}

function termsOf(condition: Condition): readonly Condition[] {
  return condition.kind === 'and' ? [...termsOf(condition.left), ...termsOf(condition.right)] : [condition];
}

function termFrom(subject: Operand, others: readonly Operand[], isEquality: boolean): Term {
  if (subject.kind !== 'path' || subject.path.length !== 1) throw notSupported();
  const values = others.map((operand) => {
    if (operand.kind !== 'value') throw notSupported();
    return operand.value;
  });
  return { name: String(subject.path[0]), isEquality, values };
}

function readTerm(condition: Condition): Term {
  switch (condition.kind) {
    case 'compare': {
      if (condition.comparator === '<>') throw notSupported();
      const isEquality = condition.comparator === '=';
      return condition.left.kind === 'value'
        ? termFrom(condition.right, [condition.left], isEquality)
        : termFrom(condition.left, [condition.right], isEquality);
    }
    case 'between':
      return termFrom(condition.operand, [condition.lower, condition.upper], false);
    case 'begins-with':
      return termFrom(condition.operand, [condition.prefix], false);
    default:
      throw notSupported();
  }
}

function checkType(attribute: KeyAttribute, term: Term): void {
  if (term.values.some((value) => typeOf(value) !== attribute.type)) {
    throw validationException(
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    );
  }
}

/**
 * Returns the condition if it names one partition by equality and at most one range of its sort key.
 * @throws ValidationException otherwise.
 */
export function checkKeyCondition(schema: KeySchema, condition: Condition | undefined): Condition {
  if (condition === undefined) {
    throw validationException(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  const terms = termsOf(condition).map(readTerm);
  const partition = terms.find(({ name }) => name === schema.partition.name);
  if (partition === undefined) {
    throw validationException(`Query condition missed key schema element: ${schema.partition.name}`);
  }
  if (!partition.isEquality) throw notSupported();
  checkType(schema.partition, partition);
  const [range, ...more] = terms.filter((term) => term !== partition);
  if (range === undefined) return condition;
  if (more.length > 0 || schema.sort === undefined || range.name !== schema.sort.name) throw notSupported();
  checkType(schema.sort, range);
  return condition;
}
