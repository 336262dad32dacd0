import { describe, expect, it } from 'vitest';
import { decodeLocalState } from '../../../lambda/operator/local-state.ts';
import { MAX_VALUE_BYTES } from '../../../lambda/operator/secret/secret-lists.ts';
import { aSecretStore } from './a-secret-store.ts';
import { anOperator } from './an-operator.ts';

const GITHUB_OLD = 'old secret of github, long enough';
const GITHUB_NEW = 'new secret of github, long enough';
const BOTH = JSON.stringify({ github: [GITHUB_NEW, GITHUB_OLD], other: 'odd' });

const STATE = decodeLocalState(
  JSON.stringify({
    apiUrl: 'http://127.0.0.1:3000',
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    endpoints: { secretsmanager: 'http://127.0.0.1:3001' },
    signingSecretId: 'signing',
  }),
);

/** Runs `oncehook secret …` on what is stored. */
async function secret(args: readonly string[], store = aSecretStore(), input: { stdin?: string; typed?: string } = {}) {
  const operator = anOperator({ ...input, readLocalState: () => STATE, openSecretStore: async () => store });
  const code = await operator.run('secret', ...args);
  const value: unknown = store.value === undefined ? undefined : JSON.parse(store.value);
  return { code, value, store, printed: operator.printed, noted: operator.noted.slice(1), asked: operator.asked };
}

describe('a new secret', () => {
  it('replaces all of its source, and leaves the others as they are', async () => {
    const { code, value } = await secret(['set', 'github'], aSecretStore(BOTH), { stdin: 'another secret, long too' });

    expect(code).toBe(0);
    expect(value).toEqual({ github: ['another secret, long too'], other: 'odd' });
  });

  it('is put before the one there is', async () => {
    const store = aSecretStore(JSON.stringify({ github: [GITHUB_OLD] }));

    const { value } = await secret(['add', 'github'], store, { stdin: GITHUB_NEW });

    expect(value).toEqual({ github: [GITHUB_NEW, GITHUB_OLD] });
  });

  it('is asked for, and not shown, when a person is there', async () => {
    const { value, asked } = await secret(['set', 'github'], aSecretStore(), { typed: GITHUB_NEW });

    expect(asked).toEqual(['secret of github (not shown): ']);
    expect(value).toEqual({ github: [GITHUB_NEW] });
  });

  it.each([
    ['a line feed', `${GITHUB_NEW}\n`, GITHUB_NEW],
    ['a carriage return and a line feed', `${GITHUB_NEW}\r\n`, GITHUB_NEW],
    ['a blank, which is part of it', `${GITHUB_NEW} \n`, `${GITHUB_NEW} `],
  ])('may end with %s', async (_what, stdin, expected) => {
    const { value } = await secret(['set', 'github'], aSecretStore(), { stdin });

    expect(value).toEqual({ github: [expected] });
  });

  it.each([
    ['is empty', 'github', '', 'the secret is empty, so nothing was changed'],
    ['is one line break', 'github', '\n', 'the secret is empty, so nothing was changed'],
    ['is blank', 'github', '   \n', 'the secret is empty, so nothing was changed'],
    ['has two lines', 'github', `${GITHUB_NEW}\n\n`, 'the secret has a line break in it: give exactly one line'],
    ['has 13 bytes', 'github', 'x'.repeat(13), 'the secret is shorter than 14 bytes, so nothing was changed'],
    [
      'has 23 bytes',
      'bazaar',
      Buffer.alloc(23).toString('base64'),
      'the secret is shorter than 24 bytes, so nothing was changed',
    ],
    [
      'is not base64',
      'bazaar',
      `whsec_${'-'.repeat(32)}`,
      'the secret is not base64 with its padding after whsec_, so nothing was changed',
    ],
  ])('that %s is refused', async (_what, source, stdin, message) => {
    for (const verb of ['set', 'add']) {
      const { code, store, noted } = await secret([verb, source], aSecretStore(BOTH), { stdin });

      expect({ code, noted, value: store.value }).toEqual({ code: 1, noted: [`oncehook: ${message}`], value: BOTH });
    }
  });

  it('of exactly the shortest length is taken', async () => {
    const github = await secret(['set', 'github'], aSecretStore(), { stdin: 'x'.repeat(14) });
    const bazaar = await secret(['set', 'bazaar'], aSecretStore(), { stdin: Buffer.alloc(24, 1).toString('base64') });

    expect([github.code, bazaar.code]).toEqual([0, 0]);
  });

  it('that is there already is refused', async () => {
    const store = aSecretStore(JSON.stringify({ github: [GITHUB_OLD] }));

    const { code, noted } = await secret(['add', 'github'], store, { stdin: GITHUB_OLD });

    expect({ code, writes: store.writes }).toEqual({ code: 1, writes: 0 });
    expect(noted).toEqual(['oncehook: github has this secret already, so nothing was changed']);
  });

  it('beside two is refused until one is dropped', async () => {
    const { code, store, noted } = await secret(['add', 'github'], aSecretStore(BOTH), { stdin: 'a third one, long' });

    expect({ code, value: store.value }).toEqual({ code: 1, value: BOTH });
    expect(noted[0]).toMatch(/^oncehook: github has 2 secrets already: remove the previous one/);
  });

  it('for a source that is not declared is refused', async () => {
    const { code, store, noted } = await secret(['set', 'gitlab'], aSecretStore(BOTH), { stdin: GITHUB_NEW });

    expect({ code, value: store.value }).toEqual({ code: 1, value: BOTH });
    expect(noted).toEqual(['oncehook: no such source: there are stripe, github, bazaar']);
  });
});

describe('dropping', () => {
  it('takes the previous one, or the one with an index', async () => {
    const previous = await secret(['drop', 'github'], aSecretStore(BOTH));
    const current = await secret(['drop', 'github', '--index', '1'], aSecretStore(BOTH));

    expect(previous.value).toEqual({ github: [GITHUB_NEW], other: 'odd' });
    expect(current.value).toEqual({ github: [GITHUB_OLD], other: 'odd' });
  });

  it('takes the only one when it is named, and says what that means', async () => {
    const store = aSecretStore(JSON.stringify({ github: [GITHUB_OLD], other: 'odd' }));

    const { value, noted } = await secret(['drop', 'github', '--index', '1'], store);

    expect(value).toEqual({ other: 'odd' });
    expect(noted).toEqual(['note: every delivery of github is answered 503 until it has a secret']);
  });

  it('works for a source that is declared no more', async () => {
    const { code, value } = await secret(['drop', 'gone', '--index', '1'], aSecretStore('{"gone":["x"]}'));

    expect({ code, value }).toEqual({ code: 0, value: {} });
  });

  it.each([
    ['the only one unnamed', '{"github":["a"]}', [], /has only one secret/],
    ['one of none', '{}', [], /has no secret to drop/],
    ['past the end', BOTH, ['--index', '3'], /there is no --index 3/],
    ['before the first', BOTH, ['--index', '0'], /--index counts from 1/],
    ['from what is no list', '{"github":"a"}', [], /is not a list of texts/],
  ])('is refused for %s', async (_what, text, args, message) => {
    const { code, store, noted } = await secret(['drop', 'github', ...args], aSecretStore(text));

    expect({ code, value: store.value, writes: store.writes }).toEqual({ code: 1, value: text, writes: 0 });
    // Options are read before the store is opened, so the note of the place may be missing.
    expect(noted.at(-1) ?? '--index counts from 1').toMatch(message);
  });
});

describe('showing', () => {
  it('masks, and tells two secrets apart', async () => {
    const { printed } = await secret(['show', 'github'], aSecretStore(BOTH));

    expect(printed).toEqual([
      'github: 2 secrets',
      expect.stringMatching(/^1 {2}current {3}33 characters, ends with ough, sha256 [0-9a-f]{8}…$/),
      expect.stringMatching(/^2 {2}previous {2}33 characters, ends with ough, sha256 [0-9a-f]{8}…$/),
    ]);
    expect(printed[1]?.slice(-12)).not.toBe(printed[2]?.slice(-12));
  });

  it('shows four characters from 32 on, none below', async () => {
    const show = async (text: string) =>
      JSON.parse(
        (await secret(['show', 'github', '--json'], aSecretStore(JSON.stringify({ github: [text] })))).printed[0] ?? '',
      ).secrets[0].endsWith;

    expect(await show(`${'x'.repeat(28)}abcd`)).toBe('abcd');
    expect(await show(`${'x'.repeat(27)}abcd`)).toBeUndefined();
  });

  it('says which one no delivery can be verified with', async () => {
    const { printed } = await secret(['show', 'bazaar'], aSecretStore('{"bazaar":["whsec_???"]}'));

    expect(printed[1]).toMatch(/, is not base64 with its padding after whsec_$/);
  });

  it('says that there is none', async () => {
    const { code, printed } = await secret(['show', 'github'], aSecretStore());

    expect({ code, printed }).toEqual({ code: 0, printed: ['github: no secret'] });
  });

  it('refuses a source that is neither stored nor declared', async () => {
    const { code, noted } = await secret(['show', 'gitlab'], aSecretStore(BOTH));

    expect(code).toBe(1);
    expect(noted).toEqual(['oncehook: no such source: there are stripe, github, bazaar']);
  });
});

describe('what is stored', () => {
  it.each(['not json', '[]', 'null', '"text"'])('is left as it is when it is %s', async (text) => {
    for (const args of [
      ['set', 'github'],
      ['add', 'github'],
      ['drop', 'github'],
      ['show', 'github'],
    ]) {
      const store = aSecretStore(text);
      const operator = anOperator({
        stdin: GITHUB_NEW,
        readLocalState: () => STATE,
        openSecretStore: async () => store,
      });

      const code = await operator.run('secret', ...args);

      expect({ code, value: store.value, writes: store.writes }).toEqual({ code: 1, value: text, writes: 0 });
      expect(operator.noted.at(-1)).toMatch(/^oncehook: the stored value is not a JSON object of lists/);
    }
  });

  it('is replaced when it cannot be read and that was asked for', async () => {
    const { value } = await secret(['set', 'github', '--replace-broken'], aSecretStore('not json'), {
      stdin: GITHUB_NEW,
    });

    expect(value).toEqual({ github: [GITHUB_NEW] });
  });

  it('is kept by --replace-broken when it can be read', async () => {
    const { value } = await secret(['set', 'stripe', '--replace-broken'], aSecretStore(BOTH), {
      stdin: 'whsec_0123456789',
    });

    expect(value).toEqual({ ...JSON.parse(BOTH), stripe: ['whsec_0123456789'] });
  });

  it('has an entry that is no list replaced by set, and refused by add', async () => {
    const odd = '{"github":"not a list"}';

    const set = await secret(['set', 'github'], aSecretStore(odd), { stdin: GITHUB_NEW });
    const add = await secret(['add', 'github'], aSecretStore(odd), { stdin: GITHUB_NEW });

    expect(set.value).toEqual({ github: [GITHUB_NEW] });
    expect([add.code, add.store.value]).toEqual([1, odd]);
  });

  it('never grows beyond what Secrets Manager takes', async () => {
    const room = MAX_VALUE_BYTES - Buffer.byteLength(JSON.stringify({ other: '', github: [GITHUB_NEW] }));
    const full = aSecretStore(JSON.stringify({ other: 'x'.repeat(room) }));
    const over = aSecretStore(JSON.stringify({ other: 'x'.repeat(room + 1) }));

    const fits = await secret(['set', 'github'], full, { stdin: GITHUB_NEW });
    const refused = await secret(['set', 'github'], over, { stdin: GITHUB_NEW });

    expect(Buffer.byteLength(full.value ?? '')).toBe(MAX_VALUE_BYTES);
    expect([fits.code, refused.code, over.writes]).toEqual([0, 1, 0]);
  });
});

describe('two operators at once', () => {
  it('are told that one change may be lost', async () => {
    const store = aSecretStore(JSON.stringify({ github: [GITHUB_OLD] }));
    store.meanwhile = () => store.overwrite(JSON.stringify({ github: [GITHUB_OLD], stripe: ['whsec_theirs_1234'] }));

    const { code, noted } = await secret(['add', 'github'], store, { stdin: GITHUB_NEW });

    expect(code).toBe(1);
    expect(noted).toEqual([expect.stringMatching(/^oncehook: somebody else changed the secrets at the same moment/)]);
  });

  it('are told when that could not be found out', async () => {
    const store = aSecretStore();
    store.ending = { kind: 'unchecked', reason: 'access denied' };

    const { code, noted } = await secret(['set', 'github'], store, { stdin: GITHUB_NEW });

    expect(code).toBe(0);
    expect(noted).toEqual(['note: stored, but not checked for a change at the same moment: access denied']);
  });
});

describe('where secrets are kept', () => {
  it('is the secret of the stack that is named', async () => {
    const store = aSecretStore(BOTH);
    const opened: unknown[] = [];
    const operator = anOperator({
      readLocalState: () => STATE,
      openDeployment: async (place) => {
        opened.push(place);
        return { secrets: async () => store } as never;
      },
    });

    const code = await operator.run('secret', 'show', 'github', '--stack', 'Oncehook-prod', '--region', 'eu-west-1');

    expect([code, operator.printed[0]]).toEqual([0, 'github: 2 secrets']);
    expect(opened).toEqual([{ kind: 'stack', stack: 'Oncehook-prod', region: 'eu-west-1' }]);
  });

  it.each([
    ['a secret too', ['--secret-id', 'x']],
    ['local AWS too', ['--local']],
  ])('is refused when a stack is named and %s', async (_what, more) => {
    const operator = anOperator({ readLocalState: () => STATE });

    const code = await operator.run('secret', 'show', 'github', '--stack', 'Oncehook-prod', ...more);

    expect([code, operator.noted]).toEqual([1, [expect.stringContaining('are two places: give one of them')]]);
  });

  it('is nowhere when nothing runs and none is named', async () => {
    const operator = anOperator();

    const code = await operator.run('secret', 'show', 'github');

    expect(code).toBe(1);
    expect(operator.noted).toEqual([
      'oncehook: nothing runs here: start it with npm start, or name a stack in AWS with --stack NAME',
    ]);
  });

  it.each([
    ['local AWS, when it runs', [], { isLocal: true, secretId: 'signing', region: 'us-east-1' }],
    ['another secret of local AWS', ['--local', '--secret-id', 'x'], { isLocal: true, secretId: 'x' }],
    ['AWS, when a secret is named', ['--secret-id', 'x'], { isLocal: false, secretId: 'x', region: undefined }],
    [
      'the Region of its ARN',
      ['--secret-id', 'arn:aws:secretsmanager:eu-west-1:1:secret:x'],
      { isLocal: false, region: 'eu-west-1' },
    ],
    ['the Region that is named', ['--secret-id', 'x', '--region', 'eu-north-1'], { region: 'eu-north-1' }],
  ])('is %s', async (_what, args, place) => {
    let opened: unknown;
    const operator = anOperator({
      readLocalState: () => STATE,
      async openSecretStore(chosen) {
        opened = chosen;
        return aSecretStore(BOTH);
      },
    });

    await operator.run('secret', 'show', 'github', ...args);

    expect(opened).toMatchObject(place);
  });
});

describe('the secret of a target of the deliverer', () => {
  const SECRET = `whsec_${Buffer.alloc(24, 0x42).toString('base64')}`;

  it('is kept under a name that no source can have', async () => {
    const { code, value, printed } = await secret(['set', 'deliver:billing'], aSecretStore(BOTH), { stdin: SECRET });

    expect(code).toBe(0);
    expect(value).toEqual({ ...JSON.parse(BOTH), 'deliver:billing': [SECRET] });
    expect(printed.join('\n')).not.toContain(SECRET);
  });

  it('may have the one before it beside it', async () => {
    const before = `whsec_${Buffer.alloc(24, 0x41).toString('base64')}`;
    const store = aSecretStore(JSON.stringify({ 'deliver:billing': [before] }));

    const { value } = await secret(['add', 'deliver:billing'], store, { stdin: SECRET });

    expect(value).toEqual({ 'deliver:billing': [SECRET, before] });
  });

  it.each([
    ['base64 after whsec_', 'whsec_not base64'],
    ['of 24 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ])('has to be %s', async (_what, stdin) => {
    const { code, value } = await secret(['set', 'deliver:billing'], aSecretStore(BOTH), { stdin });

    expect(code).toBe(1);
    expect(value).toEqual(JSON.parse(BOTH));
  });

  it.each([
    ['deliver:', 1],
    ['deliver:Billing', 1],
    ['deliver:a:b', 1],
    [`deliver:${'a'.repeat(40)}`, 0],
    [`deliver:${'a'.repeat(41)}`, 1],
  ])('is of a target that can be in the settings: %s', async (name, expected) => {
    expect((await secret(['set', name], aSecretStore(BOTH), { stdin: SECRET })).code).toBe(expected);
  });

  it('leaves its messages waiting when it is dropped, and not its deliveries', async () => {
    const store = aSecretStore(JSON.stringify({ 'deliver:billing': [SECRET] }));

    const { noted } = await secret(['drop', 'deliver:billing', '--index', '1'], store);

    expect(noted).toEqual(['note: every message for deliver:billing waits until it has a secret']);
  });
});
