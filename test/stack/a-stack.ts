import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { defineSources } from '../../lambda/authoring/define-sources.ts';
import type { TableDefinition } from '../../lambda/authoring/define-tables.ts';
import { days } from '../../lambda/core/time.ts';
import type { ProviderPreset } from '../../lambda/providers/preset.ts';
import { BUNDLE_FILE, BUNDLES } from '../../lib/bundles.ts';
import { declareTables, type Sources } from '../../lib/declarations.ts';
import { ReceiverStack } from '../../lib/receiver-stack.ts';
import { readSettings } from '../../lib/settings.ts';
import { aFolder } from './a-folder.ts';

const root = resolve(import.meta.dirname, '../..');

/** The flags a deploy runs with: a template without them is another template. */
const { context: deployedContext } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));

/** A provider that redelivers for three days, unless a test says otherwise. */
export const aPreset = (overrides: Partial<ProviderPreset> = {}): ProviderPreset => ({
  name: 'patient',
  scheme: {
    kind: 'hmac',
    hash: 'sha256',
    header: 'x-signature',
    format: { kind: 'bare' },
    encoding: 'hex',
    signed: ['body'],
    secret: { encoding: 'utf8', minKeyBytes: 16 },
  },
  body: 'json',
  id: [{ json: ['id'] }],
  type: [[{ json: ['type'] }]],
  headers: [],
  successStatus: 200,
  deadline: undefined,
  retryHorizon: days(3),
  redelivers: true,
  ...overrides,
});

/** One source a name, each with its preset. */
export const someSources = (presets: Readonly<Record<string, ProviderPreset>>): Sources =>
  defineSources(
    Object.fromEntries(
      Object.entries(presets).map(([name, provider]) => [name, { provider, on: { thing: async () => {} } }]),
    ),
  );

export interface StackOptions {
  readonly context?: Readonly<Record<string, unknown>>;
  readonly sources?: Sources;
  readonly tables?: Readonly<Record<string, TableDefinition>>;
  readonly consumer?: boolean;
}

/** A stack whose outbox queue has the deliverer in place of a consumer. */
export const DELIVERING = {
  consumer: false,
  context: { deliverTo: { billing: { url: 'https://billing.example.com/hooks' } } },
} satisfies StackOptions;

/** Every setting that adds something to the stack, but for the targets of {@link DELIVERING}. */
export const EVERYTHING = {
  context: {
    stage: 'prod',
    tracing: true,
    alarmEmail: 'on-call@example.com',
    receiveReservedConcurrency: 20,
    domainName: 'hooks.example.com',
    domainCertificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/6f2c1a3e-58a7-4a51-9f0e-1d4c0e7a9b10',
    customerKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/0d990263-018e-4e65-a703-eff731de951e',
  },
} satisfies StackOptions;

/** The stack of the example's table, two sources and a consumer, built without AWS and from stand-in bundles. */
export function aStack(options: StackOptions = {}) {
  const app = new App({ outdir: aFolder(), context: { ...deployedContext, ...options.context } });
  const sources = options.sources ?? someSources({ patient: aPreset(), 'second-shop': aPreset() });
  const tables = options.tables ?? { accounts: { partitionKey: 'accountId', actions: ['UpdateItem'] } };
  const settings = readSettings(app.node.getAllContext(), sources);

  const stack = new ReceiverStack(app, `Oncehook-${settings.stage}`, {
    settings,
    declarations: { sources, tables: declareTables(tables), consumer: options.consumer ?? true },
    bundles: standInBundles(),
  });
  let template: Template | undefined;
  return {
    app,
    stack,
    /** Made when it is asked for: it takes a synth. */
    get template(): Template {
      template ??= Template.fromStack(stack);
      return template;
    },
  };
}

function standInBundles(): string {
  const folder = aFolder();
  for (const name of Object.keys(BUNDLES)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, BUNDLE_FILE), 'export const handler = async () => ({ statusCode: 200 });\n');
  }
  return folder;
}
