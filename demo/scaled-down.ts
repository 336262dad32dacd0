/**
 * The project's stack with what a run of a minute on two cores needs and no setting has: a killed consumer's messages
 * come back within seconds and not minutes, and few batches are consumed at once.
 */
import { basename } from 'node:path';
import type { StackSource } from '../local/synth/stack-source.ts';
import { type Resource, recordOf, type Template } from '../local/template/template.ts';

export interface Scale {
  /** Of the consume function; its leases are a second longer. */
  readonly consumerSeconds: number;
  /** How long a received message of the outbox queue is hidden; no less than the time-out. */
  readonly outboxHiddenSeconds: number;
  /** How long one of the events queue is hidden. @default what the stack says, six time-outs of work */
  readonly eventsHiddenSeconds?: number;
}

/** Invocations of the consumer at once; the least that Lambda takes. */
const CONSUMER_CONCURRENCY = 2;

export const scaledDown = (stack: StackSource, scale: Scale): StackSource => ({
  watch: stack.watch,
  async build() {
    const { template, ...rest } = await stack.build();
    return { ...rest, template: scaleDown(template, scale) };
  },
});

/** @throws Error when one of them is not there: the run would wait for minutes. */
function scaleDown(template: Template, scale: Scale): Template {
  const { consumerSeconds, outboxHiddenSeconds, eventsHiddenSeconds } = scale;
  const resources = new Map(template.resources);
  const set = (logicalId: string | undefined, property: string, value: unknown): void => {
    const resource = logicalId === undefined ? undefined : resources.get(logicalId);
    if (resource === undefined) throw new Error(`the stack has nothing whose ${property} could be scaled down`);
    resources.set(resource.logicalId, { ...resource, properties: { ...resource.properties, [property]: value } });
  };
  const queueOf = (output: string): string => String(recordOf(template.outputs.get(output))['Ref']);

  const consumer = [...resources.values()].find(isConsumer)?.logicalId;
  const isItsMapping = ({ type, properties }: Resource): boolean =>
    type === 'AWS::Lambda::EventSourceMapping' && recordOf(properties['FunctionName'])['Ref'] === consumer;
  set(consumer, 'Timeout', consumerSeconds);
  set([...resources.values()].find(isItsMapping)?.logicalId, 'ScalingConfig', {
    MaximumConcurrency: CONSUMER_CONCURRENCY,
  });
  set(queueOf('OutboxQueueUrl'), 'VisibilityTimeout', outboxHiddenSeconds);
  if (eventsHiddenSeconds !== undefined) set(queueOf('EventsQueueUrl'), 'VisibilityTimeout', eventsHiddenSeconds);
  return { ...template, resources };
}

const isConsumer = ({ type, metadata }: Resource): boolean =>
  type === 'AWS::Lambda::Function' && basename(String(metadata['aws:asset:path'])) === 'consume';
