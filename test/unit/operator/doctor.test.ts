import { beforeEach, describe, expect, it } from 'vitest';
import { ENV } from '../../../lambda/contract.ts';
import {
  adyen,
  defineSources,
  github,
  gitlab,
  microsoftGraph,
  postmark,
  sslcommerz,
  stripe,
  twilio,
} from '../../../lambda/oncehook.ts';
import type { Finding } from '../../../lambda/operator/checks/check.ts';
import type { HttpAnswer, Post } from '../../../lambda/operator/ports.ts';
import { Refusal } from '../../../lambda/operator/refusal.ts';
import type { CodeScheme } from '../../../lambda/providers/code-scheme.ts';
import { createReceiver, type Receiver } from '../../support/receiver.ts';
import { sources } from '../../support/three-sources.ts';
import { anOperatorOfADeployment, ENABLED } from './a-deployment.ts';
import { answered } from './an-operator.ts';

let scene: Awaited<ReturnType<typeof anOperatorOfADeployment>>;
let receiver: Receiver;
beforeEach(async () => {
  scene = await anOperatorOfADeployment();
  receiver = await createReceiver(sources, JSON.parse(scene.secrets.value ?? ''));
});

/** The real receiver behind the API's URL. */
const post: Post = async ({ url, headers, body }): Promise<HttpAnswer> => {
  const { pathname } = new URL(url);
  const answer = await receiver.send(pathname.replace('/webhooks/', ''), { body, headers });
  return { kind: 'answered', status: answer.statusCode, headers: answer.headers, text: answer.body };
};

async function doctor(args: readonly string[] = [], how: { post?: Post } = { post }) {
  const operator = scene.operate(how);
  const code = await operator.run('doctor', '--json', ...args);
  const findings: Finding[] = operator.printed.map((line) => JSON.parse(line));
  return {
    code,
    findings,
    noted: operator.noted,
    of: (check: string) => findings.find((finding) => finding.check === check),
    not: (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict !== verdict),
  };
}

describe('a doctor', () => {
  it('finds nothing wrong with a deployment that is right, and writes nothing', async () => {
    const { code, findings, not, noted } = await doctor();

    expect(not('ok')).toEqual([]);
    expect([code, noted.at(-1)]).toEqual([0, `${findings.length} ok, 0 warn, 0 fail`]);
    expect(await receiver.stage.items('inbox')).toEqual([]);
    expect(receiver.queued()).toEqual([]);
  });

  it('sends each source a wrong and a true signature, and a source that does not exist', async () => {
    const { findings } = await doctor();

    expect(
      findings.filter(({ check }) => check.startsWith('probe')).map(({ check, detail }) => [check, detail]),
    ).toEqual([
      ['probe of an unknown source', '404 unknown-source'],
      ['probe of stripe with a wrong signature', '401 unauthenticated'],
      ['probe of stripe, signed', '200 ignored'],
      ['probe of github with a wrong signature', '401 unauthenticated'],
      ['probe of github, signed', '200 ignored'],
      ['probe of bazaar with a wrong signature', '401 unauthenticated'],
      ['probe of bazaar, signed', '200 ignored'],
    ]);
  });

  it('runs a handler twice when a source of its own is named for it', async () => {
    const { code, findings } = await doctor(['--probe', 'stripe', '--probe-type', 'invoice.paid']);

    expect(code).toBe(0);
    expect(findings.slice(-2).map(({ detail }) => detail)).toEqual(['200 processed', '200 duplicate']);
    expect(await receiver.stage.items('inbox')).toHaveLength(1);
  });

  it('sends nothing with --no-probes', async () => {
    const { code, findings } = await doctor(['--no-probes'], {});

    expect(code).toBe(0);
    expect(findings.filter(({ check }) => check.startsWith('probe'))).toEqual([]);
  });

  it.each([
    ['a probe without a type', ['--probe', 'stripe']],
    ['a type without a probe', ['--probe-type', 'invoice.paid']],
    ['a probe and no probes', ['--probe', 'stripe', '--probe-type', 'invoice.paid', '--no-probes']],
    ['an unknown source', ['--probe', 'gitlab', '--probe-type', 'push']],
  ])('refuses %s', async (_what, args) => {
    expect(await doctor(args, {})).toMatchObject({ code: 1, findings: [] });
  });

  it('says when it is not Oncehook that answers, or nobody', async () => {
    const stranger = await doctor([], { post: async () => answered(200) });
    const nobody = await doctor([], {
      post: async () => ({ kind: 'unreachable', reason: 'api.example.test is away' }),
    });

    expect([stranger.code, stranger.of('probe of an unknown source')?.detail]).toEqual([
      1,
      'answered 200, and not from Oncehook; 404 unknown-source is wanted',
    ]);
    expect([nobody.code, nobody.of('probe of an unknown source')?.detail]).toEqual([1, 'api.example.test is away']);
  });

  it('says when the receiver has another secret than is stored', async () => {
    receiver.secretText = JSON.stringify({ ...JSON.parse(scene.secrets.value ?? ''), stripe: ['whsec_another_one_0'] });

    const { code, of } = await doctor();

    expect(code).toBe(1);
    expect(of('probe of stripe, signed')).toMatchObject({
      verdict: 'fail',
      detail: 'answered 401 unauthenticated; 200 ignored or 400 malformed is wanted',
    });
  });
});

describe('a probe', () => {
  it('is not made where a handler would take it, nor where nobody else can sign', async () => {
    const provider = stripe();
    const { scheme } = github();
    const others = defineSources({
      taken: { provider, on: { 'oncehook.doctor': async () => {} } },
      unsignable: {
        provider: { ...provider, scheme: { ...CODE, secret: scheme.secret } },
        on: { 'invoice.paid': async () => {} },
      },
    });
    scene.secrets.overwrite(
      JSON.stringify({ taken: ['whsec_0123456789abcdef'], unsignable: ['a secret, long enough'] }),
    );
    const sent: string[] = [];
    const operator = scene.operate({
      loadSources: async () => others,
      post: async ({ url }) => {
        sent.push(url);
        return answered(404, 'unknown-source');
      },
    });

    const code = await operator.run('doctor');

    expect(code).toBe(0);
    expect(sent).toEqual(['https://api.example.test/webhooks/oncehook-doctor-probe']);
    expect(operator.printed.slice(-2)).toEqual([
      expect.stringMatching(/^warn {2}probe of taken: not made: no event of it is known that no handler takes$/),
      expect.stringMatching(/^warn {2}probe of unsignable: not made: /),
    ]);
  });
});

describe('a probe of a provider', () => {
  const on = { 'a.type': async () => {} };
  const tokens = defineSources({
    gitlab: { provider: gitlab({ proof: 'secret-token' }), on },
    postmark: { provider: postmark(), on },
    graph: { provider: microsoftGraph(), on },
  });
  const codes = defineSources({
    adyen: { provider: adyen(), on },
    sslcommerz: { provider: sslcommerz(), on },
    twilio: { provider: twilio(), publicUrl: 'https://hooks.example/in', on },
  });

  it.each([
    ['that sends its secret as it is has another secret refused', tokens],
    ['whose scheme is code is signed as the provider would', codes],
  ])('%s', async (_what, others) => {
    const secrets = Object.fromEntries([...others.keys()].map((name) => [name, ['ab'.repeat(32)]]));
    scene.secrets.overwrite(JSON.stringify(secrets));
    receiver = await createReceiver(others, secrets);
    const operator = scene.operate({ loadSources: async () => others, post });

    await operator.run('doctor', '--json');

    const findings: Finding[] = operator.printed.map((line) => JSON.parse(line));
    const probes = findings.filter(({ check }) => check.startsWith('probe of') && !check.includes('unknown'));
    expect(probes.map(({ verdict, detail }) => `${verdict} ${detail}`)).toEqual(
      [...others.keys()].flatMap(() => ['ok 401 unauthenticated', 'ok 200 ignored']),
    );
    expect(receiver.queued()).toEqual([]);
  });
});

const CODE: Omit<CodeScheme, 'secret'> = {
  kind: 'code',
  requires: [],
  verify: () => ({ kind: 'rejected', reason: 'signature_mismatch' }),
};

describe('a doctor looks at secrets and', () => {
  const findingOf = async (stripe: unknown) => {
    scene.secrets.overwrite(JSON.stringify({ ...JSON.parse(scene.secrets.value ?? ''), stripe }));
    const { of } = await doctor(['--no-probes'], {});
    return of('secret of stripe');
  };

  it.each([
    ['fails a source without one', [], 'fail', /there is none/],
    ['fails an entry that is no list', 'whsec_x', 'fail', /is not a list of texts/],
    ['fails a source with none that is usable', [''], 'fail', /number 1 is empty/],
    ['warns of one beside another', ['whsec_0123456789abcdef', ''], 'warn', /number 2 is empty/],
    ['passes two', ['whsec_0123456789abcdef', 'whsec_fedcba9876543210'], 'ok', /2, decodable/],
  ])('%s', async (_what, stripe, verdict, detail) => {
    expect(await findingOf(stripe)).toMatchObject({ verdict, detail: expect.stringMatching(detail) });
  });

  it('prints nothing of them', async () => {
    const { findings, noted } = await doctor();

    expect(JSON.stringify([findings, noted])).not.toMatch(/0123456789|long enough|BwcH/);
  });

  it('fails when they cannot be read, and goes on', async () => {
    scene.secrets.read = async () => {
      throw new Refusal('access denied');
    };

    const { code, of, findings } = await doctor();

    expect([code, of('secrets')]).toEqual([1, { check: 'secrets', verdict: 'fail', detail: 'access denied' }]);
    expect(findings.length).toBeGreaterThan(5);
  });
});

describe('a doctor looks at mappings and', () => {
  const mapped = (changes: object) => {
    scene.inspection.mappings = async () => ({
      'events queue': [ENABLED],
      'outbox stream': [ENABLED],
      'outbox queue': [],
      ...changes,
    });
    return doctor(['--no-probes'], {});
  };

  it('fails a queue that nothing reads', async () => {
    const { code, of } = await mapped({ 'events queue': [] });

    expect([code, of('mapping of the events queue')?.verdict]).toEqual([1, 'fail']);
  });

  it.each(['Disabled', 'Disabling', 'Deleting'])('fails one that is %s', async (state) => {
    const { of } = await mapped({ 'outbox stream': [{ ...ENABLED, state }] });

    expect(of('mapping of the outbox stream')).toMatchObject({ verdict: 'fail', detail: `is ${state}: enable it` });
  });

  it('warns of one whose last result was a problem', async () => {
    const { code, of } = await mapped({
      'events queue': [{ ...ENABLED, lastResult: 'PROBLEM: Function call failed' }],
    });

    expect([code, of('mapping of the events queue')?.verdict]).toEqual([0, 'warn']);
  });

  it('looks at a consumer of the outbox queue where there is one', async () => {
    const { of } = await mapped({ 'outbox queue': [{ ...ENABLED, state: 'Disabled' }] });

    expect(of('mapping of the outbox queue')?.verdict).toBe('fail');
  });
});

describe('a doctor looks at tables and', () => {
  const look = () => doctor(['--no-probes'], {});

  it.each([
    ['off', 'DISABLED', undefined, /is DISABLED/],
    ['on another attribute', 'ENABLED', 'ttl', /is on ttl, and must be on expiresAt/],
  ])('fails a TTL that is %s', async (_what, status, attribute, detail) => {
    scene.inspection.timeToLive = async () => ({ status, attribute });

    const { code, of } = await look();

    expect([code, of('TTL of the inbox')?.detail]).toEqual([1, expect.stringMatching(detail)]);
  });

  it('fails a table with a replica', async () => {
    scene.inspection.table = async (table) => ({ replicaRegions: table === 'inbox' ? ['eu-west-1'] : [] });

    const { code, of } = await look();

    expect([code, of('replicas of the inbox')?.verdict, of('replicas of the outbox')?.verdict]).toEqual([
      1,
      'fail',
      'ok',
    ]);
  });

  it('warns of one without point-in-time recovery, or where that cannot be seen', async () => {
    scene.inspection.hasPointInTimeRecovery = async (table) => {
      if (table === 'outbox') throw new Refusal('DynamoDB could not do DescribeContinuousBackups');
      return false;
    };

    const { code, of } = await look();

    expect([code, of('backup of the inbox')?.verdict, of('backup of the outbox')?.verdict]).toEqual([
      0,
      'warn',
      'warn',
    ]);
  });
});

describe('a doctor looks at the rest and', () => {
  it('warns of messages in a DLQ', async () => {
    scene.queues.eventsDlq.put('x');
    scene.queues.outboxDlq.put('x');

    const { code, of } = await doctor(['--no-probes'], {});

    expect([code, of('DLQ of the events queue'), of('DLQ of the outbox queue')]).toEqual([
      0,
      { check: 'DLQ of the events queue', verdict: 'warn', detail: 'about 1 in it: oncehook dlq list' },
      { check: 'DLQ of the outbox queue', verdict: 'warn', detail: 'about 1 in it: oncehook dlq list --queue outbox' },
    ]);
    expect(scene.queues.eventsDlq.visible()).toHaveLength(1);
  });

  it('of the deliveries where messages are posted to targets, and nowhere else', async () => {
    scene = await anOperatorOfADeployment({ hasDeliveries: true });
    scene.inspection.mappings = async () => ({ 'deliveries queue': [] });
    scene.queues.deliveriesDlq.put('x');

    const { of } = await doctor(['--no-probes'], {});

    expect(of('mapping of the deliveries queue')).toMatchObject({ verdict: 'fail' });
    expect(of('DLQ of the deliveries queue')).toMatchObject({
      verdict: 'warn',
      detail: 'about 1 in it: oncehook dlq list --queue deliveries',
    });
    scene = await anOperatorOfADeployment();
    const without = await doctor(['--no-probes'], {});
    expect(without.of('DLQ of the deliveries queue')).toBeUndefined();
  });

  it.each([
    ['fails a window shorter than a provider sends again', String(86_400), 1, 'fail'],
    ['passes one for ever', 'forever', 0, 'ok'],
    ['warns where it cannot be seen', undefined, 0, 'warn'],
  ])('%s', async (_what, window, code, verdict) => {
    scene.inspection.workEnvironment = async () => (window === undefined ? {} : { [ENV.dedupWindowSeconds]: window });

    const result = await doctor(['--no-probes'], {});

    expect([result.code, result.of('dedup window')?.verdict]).toEqual([code, verdict]);
  });

  it('passes a window exactly as long as the longest horizon, and fails one a second shorter', async () => {
    const longest = Math.max(...[...sources.values()].map(({ provider }) => provider.retryHorizon)) / 1000;
    const verdict = async (seconds: number) => {
      scene.inspection.workEnvironment = async () => ({ [ENV.dedupWindowSeconds]: String(seconds) });
      return (await doctor(['--no-probes'], {})).of('dedup window')?.verdict;
    };

    expect([await verdict(longest), await verdict(longest - 1)]).toEqual(['ok', 'fail']);
  });
});
