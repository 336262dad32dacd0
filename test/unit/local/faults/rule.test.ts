import { describe, expect, it } from 'vitest';
import { faultRule } from '../../../../local/faults/rule.ts';
import { aCall } from './a-call.ts';

const CUT = { kind: 'cut' } as const;

describe('a rule for faults', () => {
  it('meets the first call that satisfies it, and no other', () => {
    const source = faultRule({ action: 'PutItem', fault: CUT });

    const met = ['GetItem', 'PutItem', 'PutItem'].map((action) => source(aCall({ action })));

    expect(met).toEqual([undefined, CUT, undefined]);
  });

  it('lets as many pass first as it is told, and meets as many as it is told', () => {
    const source = faultRule({ skip: 1, times: 2, fault: CUT });

    const met = [1, 2, 3, 4].map(() => source(aCall()));

    expect(met).toEqual([undefined, CUT, CUT, undefined]);
  });

  it.each([
    { rule: { service: 'secretsmanager' }, met: false },
    { rule: { service: 'dynamodb', functionKey: 'receive' }, met: true },
    { rule: { functionKey: 'work' }, met: false },
    { rule: { resource: 'Inbox' }, met: true },
    { rule: { resource: 'Inbo' }, met: false },
    { rule: { resource: 'Outbox' }, met: false },
    { rule: { when: ({ n }: { n: { ofInvocation: number } }) => n.ofInvocation === 2 }, met: true },
    { rule: { when: ({ input }: { input: object }) => 'ConditionExpression' in input }, met: false },
    { rule: { action: 'PutItem', resource: 'Outbox' }, met: false },
  ])('with $rule meets a put into the inbox: $met', ({ rule, met }) => {
    expect(faultRule({ ...rule, fault: CUT })(aCall())).toEqual(met ? CUT : undefined);
  });

  it('may choose its fault by the call', () => {
    const source = faultRule({ fault: ({ items }) => ({ kind: 'conflict', at: items - 1 }) });

    expect(source(aCall({ items: 4 }))).toEqual({ kind: 'conflict', at: 3 });
  });
});
