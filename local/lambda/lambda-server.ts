import type { DeployedStack } from '../deployed-stack.ts';
import type { FunctionSpec } from '../functions/function-spec.ts';
import type { Answer, ServiceError } from '../gateway/gateway-service.ts';
import { type ServiceServer, startServiceServer } from '../gateway/service-server.ts';
import { describeLambdaError, lambdaAnswer, plainFunctionName, readLambdaRequest } from '../gateway/services/lambda.ts';
import type { ListedMapping } from '../template/listed-mappings.ts';

export interface LambdaServerDeps {
  readonly accessKeyId: string;
  readonly stack: () => Pick<DeployedStack, 'functions' | 'mappings' | 'createdAtMs' | 'updatedAtMs'>;
  /** Whether a mapping, by its logical id, is stopped for now. */
  readonly isPaused: (logicalId: string) => boolean;
}

/** Most mappings of a page, and how many there are unless asked otherwise.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListEventSourceMappings.html */
const PAGE = 100;

/** Answers Lambda's `ListEventSourceMappings`, `GetEventSourceMapping` and `GetFunctionConfiguration`. */
export function startLambdaServer({ accessKeyId, stack, isPaused }: LambdaServerDeps): Promise<ServiceServer> {
  const describeMapping = (mapping: ListedMapping) => ({
    UUID: mapping.uuid,
    EventSourceArn: mapping.sourceArn,
    FunctionArn: mapping.functionArn,
    BatchSize: mapping.batchSize,
    State: mapping.isEnabled && !isPaused(mapping.logicalId) ? 'Enabled' : 'Disabled',
    StateTransitionReason: 'USER_INITIATED',
    LastModified: (stack().updatedAtMs ?? stack().createdAtMs) / 1000,
  });

  function listMappings(parameters: URLSearchParams): Answer | ServiceError {
    const { functions, mappings } = stack();
    const named = parameters.get('FunctionName');
    const name = named === null ? undefined : plainFunctionName(named);
    if (name !== undefined && !functions.some((each) => each.name === name)) return noFunction(name);
    const source = parameters.get('EventSourceArn');
    const found = mappings.filter(
      ({ functionName, sourceArn }) =>
        (name === undefined || functionName === name) && (source === null || sourceArn === source),
    );
    const from = Number(parameters.get('Marker') ?? 0);
    const to = from + Math.min(PAGE, Number(parameters.get('MaxItems') ?? PAGE));
    return lambdaAnswer({
      EventSourceMappings: found.slice(from, to).map(describeMapping),
      ...(to < found.length && { NextMarker: String(to) }),
    });
  }

  function getMapping(uuid: string): Answer | ServiceError {
    const mapping = stack().mappings.find((each) => each.uuid === uuid);
    if (mapping === undefined)
      return { code: 'ResourceNotFoundException', message: 'The resource you requested does not exist.' };
    return lambdaAnswer(describeMapping(mapping));
  }

  function getFunction(name: string): Answer | ServiceError {
    const found = stack().functions.find((each) => each.name === name);
    return found === undefined ? noFunction(name) : lambdaAnswer(describeFunction(found));
  }

  return startServiceServer({
    accessKeyId,
    describeError: describeLambdaError,
    answer(request) {
      const known = readLambdaRequest(request);
      switch (known?.action) {
        case undefined:
          return {
            code: 'UnknownOperationException',
            message: `local AWS has no ${request.method} ${request.path} of Lambda`,
          };
        case 'ListEventSourceMappings':
          return listMappings(known.parameters);
        case 'GetEventSourceMapping':
          return getMapping(known.uuid);
        case 'GetFunctionConfiguration':
          return getFunction(known.functionName);
      }
    },
  });
}

const noFunction = (name: string): ServiceError => ({
  code: 'ResourceNotFoundException',
  message: `Function not found: ${name}`,
});

const describeFunction = (spec: FunctionSpec) => ({
  FunctionName: spec.name,
  FunctionArn: spec.arn,
  Runtime: 'nodejs24.x',
  Handler: spec.handler,
  Timeout: spec.timeoutMs / 1000,
  MemorySize: spec.memoryMb,
  Environment: { Variables: spec.environment },
  LoggingConfig: { LogFormat: spec.logFormat, LogGroup: spec.logGroup },
  State: 'Active',
  LastUpdateStatus: 'Successful',
  Version: '$LATEST',
});
