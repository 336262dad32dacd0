import type { FunctionSpec } from '../functions/function-spec.ts';
import { Problem } from '../problem.ts';

/**
 * The function that a resource names, by its name or its ARN.
 *
 * @throws Problem when it is none of the stack's.
 */
export function functionOf(nameOrArn: unknown, functions: readonly FunctionSpec[], where: string): FunctionSpec {
  const found = functions.find(({ name, arn }) => nameOrArn === name || nameOrArn === arn);
  if (found === undefined) throw new Problem(`${where} leads to ${nameOrArn}, which is no function of the stack`);
  return found;
}
