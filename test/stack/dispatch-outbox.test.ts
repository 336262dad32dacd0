import { describe, expect, it } from 'vitest';
import { aStack } from './a-stack.ts';
import { resourcesOf } from './template.ts';

const idsOf = (dispatchOutbox: boolean): readonly string[] =>
  Object.keys(resourcesOf(aStack({ context: { dispatchOutbox } }).template));

describe('a stack that sends no messages', () => {
  it('has no queue, no schedule and one function, and is otherwise the same', () => {
    const { template } = aStack({ context: { dispatchOutbox: false } });
    const [without, with_] = [idsOf(false), idsOf(true)];

    template.resourceCountIs('AWS::SQS::Queue', 0);
    template.resourceCountIs('AWS::Events::Rule', 0);
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 0);
    template.resourceCountIs('AWS::Lambda::Function', 1);
    template.resourceCountIs('AWS::CloudWatch::Alarm', 1);
    // Switching it on later adds to the stack and replaces nothing.
    expect(without.filter((id) => !with_.includes(id))).toEqual([]);
  });

  it('keeps the stream, so that a consumer of the author’s can read it', () => {
    const inbox = JSON.stringify(aStack({ context: { dispatchOutbox: false } }).template.toJSON());

    expect(inbox).toContain('NEW_IMAGE');
  });
});
