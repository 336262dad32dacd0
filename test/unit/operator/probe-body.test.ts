import { describe, expect, it } from 'vitest';
import { github, standardWebhooks, stripe } from '../../../lambda/oncehook.ts';
import { buildProbeBody } from '../../../lambda/operator/checks/probe-body.ts';
import type { ProviderPreset } from '../../../lambda/providers/preset.ts';

const bodyOf = (provider: ProviderPreset): unknown => {
  const body = buildProbeBody(provider, 'id-1', 'oncehook.doctor');
  return body === undefined ? undefined : JSON.parse(Buffer.from(body).toString());
};

describe('the body of a probe', () => {
  it('has id and type where the provider has them', () => {
    expect(bodyOf(stripe())).toMatchObject({ id: 'id-1', type: 'oncehook.doctor' });
    expect(bodyOf(standardWebhooks())).toEqual({ type: 'oncehook.doctor' });
    expect(bodyOf(github())).toEqual({});
  });

  it.each([
    [['events'], { events: [{ type: 'oncehook.doctor' }] }],
    [['data', 'events'], { data: { events: [{ type: 'oncehook.doctor' }] } }],
    [[], [{ type: 'oncehook.doctor' }]],
  ])('has the event in the batch at %j', (batch, body) => {
    expect(bodyOf({ ...standardWebhooks(), batch })).toEqual(body);
  });

  it('says of the event what every event of the source says', () => {
    const only = { json: ['livemode'], is: true, otherwise: 'a test event' };

    expect(bodyOf({ ...standardWebhooks(), only })).toEqual({ type: 'oncehook.doctor', livemode: true });
  });

  it.each([{ batch: ['entry', '*', 'changes'] }, { batch: ['entry'], explode: [['changes']] }])(
    'is not made for %j',
    (changes) => {
      expect(bodyOf({ ...standardWebhooks(), ...changes })).toBeUndefined();
    },
  );
});
