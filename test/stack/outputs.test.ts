import { describe, expect, it } from 'vitest';
import { aPreset, aStack, EVERYTHING, someSources } from './a-stack.ts';

const outputsOf = (built: ReturnType<typeof aStack>): Readonly<Record<string, { readonly Value: unknown }>> =>
  built.template.toJSON()['Outputs'];

describe('the outputs', () => {
  it('are these, by name', () => {
    expect(Object.keys(outputsOf(aStack()))).toEqual([
      'ApiUrl',
      'WebhookUrlPatient',
      'WebhookUrlSecondShop',
      'SigningSecretName',
      'InboxTableName',
      'OutboxTableName',
      'SequencesTableName',
      'TableNameAccounts',
      'EventsQueueUrl',
      'EventsDlqUrl',
      'BodiesBucketName',
      'OutboxQueueUrl',
      'OutboxDlqUrl',
      'DashboardUrl',
      'OperatorPolicyArn',
    ]);
  });

  it('say with a domain where DNS has to lead it, and with an e-mail address where alarms are told', () => {
    const more = Object.keys(outputsOf(aStack(EVERYTHING))).filter((id) => !(id in outputsOf(aStack())));

    expect(more).toEqual(['DomainTarget', 'AlarmTopicArn']);
  });

  it('have the URL to paste, with the source as it is written', () => {
    expect(outputsOf(aStack())['WebhookUrlSecondShop']?.Value).toEqual({
      'Fn::Join': [
        '',
        [{ 'Fn::GetAtt': [expect.stringMatching(/^IngressApi/), 'ApiEndpoint'] }, '/webhooks/second-shop'],
      ],
    });
  });

  it('refuse two sources whose names would be one output', () => {
    const sources = someSources({ 'a-1': aPreset(), a1: aPreset() });

    expect(() => aStack({ sources })).toThrow('two names become the one output WebhookUrlA1; change one of them');
  });
});
