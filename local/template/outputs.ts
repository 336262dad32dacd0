import { Problem } from '../problem.ts';
import type { Resolver } from './resolver.ts';
import type { Template } from './template.ts';

/** What the stack says of itself. */
export interface Output {
  readonly id: string;
  readonly value: string;
}

/** The outputs of the stack; those that speak of what is only in AWS, such as a dashboard, are left out. */
export const readOutputs = (template: Template, resolver: Resolver): readonly Output[] =>
  [...template.outputs].flatMap(([id, value]) => {
    try {
      return [{ id, value: resolver.text(value, `output ${id}`) }];
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  });
