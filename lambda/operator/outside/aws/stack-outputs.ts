import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { nameOf } from '../../../adapters/dynamodb/translate-error.ts';
import { oneLine, Refusal } from '../../refusal.ts';
import { explainError } from './explain-error.ts';

type Config = ConstructorParameters<typeof CloudFormationClient>[0];

/**
 * What a stack says of itself, by its outputs' ids.
 *
 * @throws Refusal when there is no such stack, or it cannot be asked.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export async function readStackOutputs(config: Config, stack: string): Promise<Readonly<Record<string, string>>> {
  try {
    const client = new CloudFormationClient(config ?? {});
    const { Stacks: [found] = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    if (found === undefined) throw noSuchStack(stack);
    return Object.fromEntries(
      (found.Outputs ?? []).map(({ OutputKey: id = '', OutputValue: value = '' }) => [id, value]),
    );
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Also for a name that can be none; there is no error of its own for a stack that is not there.
    if (nameOf(error) === 'ValidationError' && /does not exist/.test(oneLine(error))) throw noSuchStack(stack);
    throw explainError(
      { service: 'cloudformation', action: 'DescribeStacks', resource: `stack ${stack}`, isLocal: false },
      error,
    );
  }
}

const noSuchStack = (stack: string): Refusal =>
  new Refusal(`there is no stack ${stack} in this account and Region: is --region right?`);
