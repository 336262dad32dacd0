import type { DeployedStack } from '../deployed-stack.ts';
import type { Answer, ServiceError } from '../gateway/gateway-service.ts';
import { type ServiceServer, startServiceServer } from '../gateway/service-server.ts';
import { CLOUDFORMATION_XML, describeCloudFormationError } from '../gateway/services/cloudformation.ts';
import { type Xml, xmlAnswer } from '../gateway/xml-answer.ts';
import type { Output } from '../template/outputs.ts';

export interface StacksServerDeps {
  readonly accessKeyId: string;
  /** The one stack there is. */
  readonly stack: () => DeployedStack;
  /** Its outputs, for who asks here. */
  readonly outputs: () => readonly Output[];
}

/**
 * Answers CloudFormation's `DescribeStacks` and `ListStacks`.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export const startStacksServer = ({ accessKeyId, stack, outputs }: StacksServerDeps): Promise<ServiceServer> =>
  startServiceServer({
    accessKeyId,
    describeError: describeCloudFormationError,
    answer({ body }) {
      const input = new URLSearchParams(body.toString('utf8'));
      const action = input.get('Action') ?? '';
      switch (action) {
        case 'DescribeStacks':
          return describeStacks(stack(), outputs(), input.get('StackName') ?? undefined);
        case 'ListStacks':
          return listStacks(stack(), input);
        default:
          return { code: 'UnknownOperationException', message: `local AWS has no ${action} of CloudFormation` };
      }
    },
  });

function describeStacks(
  stack: DeployedStack,
  outputs: readonly Output[],
  asked: string | undefined,
): Answer | ServiceError {
  if (asked !== undefined && asked !== stack.name && asked !== stack.id) {
    return { code: 'ValidationError', message: `Stack with id ${asked} does not exist` };
  }
  const listed = outputs.map(({ id, value }) => ({ OutputKey: id, OutputValue: value }));
  return xmlAnswer(CLOUDFORMATION_XML, 'DescribeStacks', { Stacks: [{ ...summaryOf(stack), Outputs: listed }] });
}

function listStacks(stack: DeployedStack, input: URLSearchParams): Answer {
  const wanted = [...input].flatMap(([name, value]) => (name.startsWith('StackStatusFilter.member.') ? [value] : []));
  const isWanted = wanted.length === 0 || wanted.includes(statusOf(stack));
  return xmlAnswer(CLOUDFORMATION_XML, 'ListStacks', { StackSummaries: isWanted ? [summaryOf(stack)] : [] });
}

const statusOf = ({ updatedAtMs }: DeployedStack): string =>
  updatedAtMs === undefined ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE';

const summaryOf = (stack: DeployedStack): Readonly<Record<string, Xml | undefined>> => ({
  StackId: stack.id,
  StackName: stack.name,
  CreationTime: new Date(stack.createdAtMs).toISOString(),
  LastUpdatedTime: stack.updatedAtMs === undefined ? undefined : new Date(stack.updatedAtMs).toISOString(),
  StackStatus: statusOf(stack),
});
