import type { Command } from 'commander';
import type { Deployment } from '../deployment/deployment.ts';
import { choosePlace, describePlace } from '../deployment/place.ts';
import type { Surroundings } from './surroundings.ts';

/** Options that every verb on a deployment has. */
export interface PlaceOptions {
  readonly stack?: string;
  readonly local?: true;
  readonly region?: string;
  readonly json?: true;
}

export const withPlaceOptions = (command: Command, json: string): Command =>
  command
    .option('--stack <name>', 'a stack in AWS, found by its outputs')
    .option('--local', 'the local AWS that runs (default, unless --stack is given)')
    .option('--region <region>', 'AWS Region of --stack (default: as for the aws command)')
    .option('--json', json);

/** Says on standard error where it works. @throws Refusal when there is no such place. */
export async function openPlace(
  { stack, local, region }: PlaceOptions,
  surroundings: Surroundings,
): Promise<Deployment> {
  const wish = { stack, local: local === true, region };
  const place = choosePlace(wish, stack === undefined ? surroundings.readLocalState() : undefined);
  surroundings.terminal.note(describePlace(place));
  return surroundings.openDeployment(place);
}
