import type { Sources } from './declarations.ts';
import { type DedupWindowDays, windowProblems } from './dedup-window.ts';
import type { DeliverTo } from './deliver-to.ts';
import { domainProblems } from './domain-settings.ts';
import { SETTINGS, type Setting, type Stage } from './known-settings.ts';
import { Refusal } from './refusal.ts';

/** The settings of one stack, every one of them checked. Units are in the names. */
export interface Settings {
  readonly stage: Stage;
  readonly dedupWindowDays: DedupWindowDays;
  readonly receiveTimeoutSeconds: number;
  readonly receiveMemoryMb: number;
  readonly receiveReservedConcurrency: number | undefined;
  readonly maxBodyBytes: number;
  readonly joinMs: number;
  readonly maxAttempts: number;
  readonly retryAfterSeconds: number;
  readonly workTimeoutSeconds: number;
  readonly workMemoryMb: number;
  readonly workConcurrency: number;
  readonly outboxFifo: boolean;
  readonly sweepAfterSeconds: number;
  readonly deliverTo: DeliverTo | undefined;
  readonly logRetentionDays: number;
  readonly tracing: boolean;
  readonly alarmEmail: string | undefined;
  readonly throttleRatePerSecond: number;
  readonly throttleBurst: number;
  readonly domainName: string | undefined;
  readonly domainCertificateArn: string | undefined;
  readonly keepDefaultEndpoint: boolean;
  readonly customerKeyArn: string | undefined;
}

/**
 * Reads the settings from CDK context: `cdk.json`, or `-c name=value`, which wins.
 *
 * A context key of letters and digits alone is a setting of ours, and refused if it is not known:
 * a misspelt one would be without effect. CDK's own keys all hold a colon, a slash, an `@` or a
 * hyphen, and so must a key of yours.
 *
 * @throws Refusal with every problem: a value that is not allowed, an unknown name, a dedup window
 * shorter than a source's retry horizon, a domain without its certificate, ARNs of two Regions.
 */
export function readSettings(context: Readonly<Record<string, unknown>>, sources: Sources): Settings {
  const problems: string[] = unknownNames(context).map(
    (name) => `unknown setting ${name}; known are ${Object.keys(SETTINGS).join(', ')}`,
  );

  const read = <Value, Default>(name: keyof Settings, setting: Setting<Value, Default>): Value | Default => {
    const given = context[name];
    const value = given === undefined ? undefined : setting.rule.parse(given);
    if (given !== undefined && value === undefined) {
      const parts = setting.rule.problemsOf?.(given).map((problem) => `${name}: ${problem}`);
      problems.push(...(parts ?? [`${name} must be ${setting.rule.allowed}; it is ${JSON.stringify(given)}`]));
    }
    return value ?? setting.fallback(sources);
  };

  const settings: Settings = {
    stage: read('stage', SETTINGS.stage),
    dedupWindowDays: read('dedupWindowDays', SETTINGS.dedupWindowDays),
    receiveTimeoutSeconds: read('receiveTimeoutSeconds', SETTINGS.receiveTimeoutSeconds),
    receiveMemoryMb: read('receiveMemoryMb', SETTINGS.receiveMemoryMb),
    receiveReservedConcurrency: read('receiveReservedConcurrency', SETTINGS.receiveReservedConcurrency),
    maxBodyBytes: read('maxBodyBytes', SETTINGS.maxBodyBytes),
    joinMs: read('joinMs', SETTINGS.joinMs),
    maxAttempts: read('maxAttempts', SETTINGS.maxAttempts),
    retryAfterSeconds: read('retryAfterSeconds', SETTINGS.retryAfterSeconds),
    workTimeoutSeconds: read('workTimeoutSeconds', SETTINGS.workTimeoutSeconds),
    workMemoryMb: read('workMemoryMb', SETTINGS.workMemoryMb),
    workConcurrency: read('workConcurrency', SETTINGS.workConcurrency),
    outboxFifo: read('outboxFifo', SETTINGS.outboxFifo),
    sweepAfterSeconds: read('sweepAfterSeconds', SETTINGS.sweepAfterSeconds),
    deliverTo: read('deliverTo', SETTINGS.deliverTo),
    logRetentionDays: read('logRetentionDays', SETTINGS.logRetentionDays),
    tracing: read('tracing', SETTINGS.tracing),
    alarmEmail: read('alarmEmail', SETTINGS.alarmEmail),
    throttleRatePerSecond: read('throttleRatePerSecond', SETTINGS.throttleRatePerSecond),
    throttleBurst: read('throttleBurst', SETTINGS.throttleBurst),
    domainName: read('domainName', SETTINGS.domainName),
    domainCertificateArn: read('domainCertificateArn', SETTINGS.domainCertificateArn),
    keepDefaultEndpoint: read('keepDefaultEndpoint', SETTINGS.keepDefaultEndpoint),
    customerKeyArn: read('customerKeyArn', SETTINGS.customerKeyArn),
  };
  problems.push(...windowProblems(settings.dedupWindowDays, sources), ...domainProblems(settings));

  if (problems.length > 0) throw new Refusal(problems);
  return settings;
}

const unknownNames = (context: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(context).filter((name) => /^[A-Za-z0-9]+$/.test(name) && !Object.hasOwn(SETTINGS, name));
