import type { Plugin } from 'esbuild';
import type { Notice } from './follow-changes.ts';
import type { PoolSettings } from './functions/function-pool.ts';
import type { BeforeAnswer } from './functions/instance.ts';
import type { Guardian } from './processes/guardian.ts';
import type { StackSource } from './synth/stack-source.ts';

/** How local AWS is run. */
export interface LocalAwsOptions {
  /** 0 picks a free one. @default 0 */
  readonly port?: number;
  /** A module that exports `sources`, in the place of `lambda/handlers/sources.ts`. */
  readonly sourcesFile?: string;
  /** Settings on top of `cdk.json`, as `-c key=value` gives them to CDK. */
  readonly context?: Readonly<Record<string, string>>;
  /** Keeps tables and secrets here between runs. @default in memory */
  readonly dataDirectory?: string;
  /** A DynamoDB Local that runs already. @default one is started */
  readonly dynamodbEndpoint?: string;
  /** Serves the console page. @default false */
  readonly console?: boolean;
  /** Rebuilds and redeploys when the code changes. @default false */
  readonly watch?: boolean;
  /** Where to say how to reach it; `false` for nowhere. @default `.oncehook/local.json` */
  readonly stateFile?: string | false;
  /** `false` runs what is scheduled on request alone. @default true */
  readonly schedules?: boolean;
  /** Milliseconds before a stream's batch that failed comes again; doubles with each retry. @default 100 */
  readonly streamRetryMs?: number;
  readonly pool?: Partial<PoolSettings>;
  /** Run before those of the build: how a proof run takes a guard out of the code. */
  readonly plugins?: readonly Plugin[];
  /** Where a proof run ends an instance between its work and its answer. */
  readonly beforeAnswer?: BeforeAnswer;
  /** Another stack than the project's. */
  readonly stack?: (place: { readonly workDirectory: string; readonly guardian: Guardian }) => StackSource;
  /** Called with what people may want to know while it starts and runs. */
  readonly onNotice?: (notice: Notice) => void;
}
