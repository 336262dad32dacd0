import type { Place } from './physical-names.ts';

/** In AWS another one for each stack that is ever made; here the same on every run, as all names are. */
const STACK_UUID = '00000000-0000-4000-8000-000000000000';

/** The ARN of a stack of this name. */
export const stackIdOf = (stackName: string, { region, accountId }: Place): string =>
  `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/${STACK_UUID}`;
