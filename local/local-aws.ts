import type { InstanceView } from './functions/instance.ts';
import type { InvocationResult } from './functions/invocation.ts';
import type { LogFeed } from './functions/log-feed.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { Mappings } from './mappings/event-sources.ts';
import type { Principal, PrincipalOptions } from './principal.ts';
import type { Problem } from './problem.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Base URLs of the services that functions call. */
export interface FunctionEndpoints {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly s3: string;
  readonly secretsmanager: string;
}

/** Base URLs of the services that run here. */
export interface Endpoints extends FunctionEndpoints {
  readonly cloudformation: string;
  /** CloudWatch Logs. */
  readonly logs: string;
  /** CloudWatch, for metrics. */
  readonly monitoring: string;
  readonly lambda: string;
}

/** A running local AWS. */
export interface LocalAws {
  /** Without a trailing slash. A source's webhook URL is `${apiUrl}/webhooks/${source}`. */
  readonly apiUrl: string;
  /** `undefined` when the console page is switched off. */
  readonly consoleUrl: string | undefined;
  readonly region: string;
  readonly credentials: Credentials;
  /** Where the services listen: what people and tests use, past the gateway that stands before the functions. */
  readonly endpoints: Endpoints;
  /** What CloudFormation here knows it by. */
  readonly stackName: string;
  /** Names of the tables by `inbox`, `outbox`, `sequences` and the keys of the user's tables. */
  readonly tables: Readonly<Record<string, string>>;
  /** URLs of the queues by the stack's outputs, such as `outbox` and `outboxDlq`. Their messages are in memory. */
  readonly queues: Readonly<Record<string, string>>;
  /** Names of the buckets by the stack's outputs, such as `bodies`. Their objects are in memory. */
  readonly buckets: Readonly<Record<string, string>>;
  /** The signing secrets each source was given when it was first seen here. */
  readonly secrets: Readonly<Record<string, readonly string[]>>;
  /** The Secrets Manager secret that holds them. */
  readonly signingSecretId: string | undefined;
  /** What the functions and their platform have logged. */
  readonly logs: LogFeed;
  /** What the functions ask of the services, what they may, and what goes wrong with it. */
  readonly gateway: Gateway;
  /**
   * Ports of their own for someone who is held against a policy, as a function is against its role.
   *
   * @throws Problem for a policy that IAM would not take.
   */
  asPrincipal(options: PrincipalOptions): Promise<Principal>;
  /**
   * The document of a managed policy of the stack, by logical id or ARN, every reference resolved.
   *
   * @throws Problem when there is none, or it names what has no ARN here.
   */
  managedPolicy(idOrArn: string): Readonly<Record<string, unknown>>;
  /** Resolves when a part of it ends that it cannot go on without. */
  readonly failure: Promise<Problem>;
  /** Runs a function once with an event of the caller's, past the HTTP API; by its key, such as `receive`. */
  invoke(functionKey: string, event: unknown): Promise<InvocationResult>;
  /** Runs a schedule now, by its rule's logical id or its function's key, such as `sweep`. */
  fireSchedule(ruleOrFunctionKey: string): Promise<InvocationResult>;
  /** The streams and queues that lead to functions. */
  readonly mappings: Mappings;
  /** The instances that are alive now. */
  instances(): readonly InstanceView[];
  /** Kills (SIGKILL) the instances of one function, or all, and returns how many there were. */
  killInstances(functionKey?: string): Promise<number>;
  /**
   * Ends DynamoDB Local and starts it again at the same port, with everything that it has answered; resolves
   * when it answers. Meanwhile nothing does there, and calls that were under way may have been applied or not.
   *
   * @throws Error without a data directory, because it would come back empty, and when it is not ours.
   */
  restartDynamoDb(): Promise<void>;
  /** Ends every process and frees every port. A second call waits for the first. */
  stop(): Promise<void>;
}

export type { InstanceView };
