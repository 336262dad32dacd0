import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../lambda/adapters/documents/https-request.ts';
import { defineSources } from '../../../lambda/authoring/define-sources.ts';
import type { DocumentAnswer, DocumentRequest } from '../../../lambda/core/document-ports.ts';
import { epochMs } from '../../../lambda/core/time.ts';
import {
  awsSns,
  discord,
  dropbox,
  type Handler,
  meta,
  microsoftGraph,
  slack,
  stripe,
  twitch,
  zoom,
} from '../../../lambda/oncehook.ts';
import { MAX_CHALLENGE_CHARACTERS } from '../../../lambda/receive/handshake.ts';
import { CODE_SENDERS, SNS_CERTIFICATE, snsMessage, TOPIC } from '../../support/code-senders.ts';
import { createReceiver, type Receiver } from '../../support/receiver.ts';
import { readSignedPayload } from '../providers/golden.ts';

const note: Handler<never> = async () => undefined;
const VERIFY_TOKEN = 'a verify token that nobody guesses';
const discordKeys = generateKeyPairSync('ed25519');

const sources = defineSources({
  slack: { provider: slack(), on: { message: note } },
  zoom: { provider: zoom(), on: { 'meeting.ended': note } },
  meta: {
    provider: meta({ verifyTokenSha256: createHash('sha256').update(VERIFY_TOKEN).digest('hex') }),
    on: { messages: note },
  },
  'meta-without': { provider: meta(), on: { messages: note } },
  dropbox: { provider: dropbox(), on: { changes: note } },
  twitch: { provider: twitch(), on: { 'channel.follow': note } },
  discord: { provider: discord(), on: { APPLICATION_AUTHORIZED: note } },
  graph: { provider: microsoftGraph(), on: { updated: note } },
  sns: { provider: awsSns(), on: { Notification: note } },
  stripe: { provider: stripe(), on: { 'invoice.paid': note } },
});

const SECRET = 'a secret of the tests, long enough';
const secrets = {
  slack: [SECRET],
  zoom: ['another one', SECRET],
  meta: [SECRET],
  'meta-without': [SECRET],
  dropbox: [SECRET],
  twitch: [SECRET],
  discord: [Buffer.from(discordKeys.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)).toString('hex')],
  graph: [SECRET],
  sns: [TOPIC],
  stripe: [SECRET],
};

const make = (exchange?: Exchange) => createReceiver(sources, secrets, 10_000, exchange);
type Answer = Awaited<ReturnType<Receiver['send']>>;

const get = (receiver: Receiver, source: string, query: string, method = 'GET'): Promise<Answer> =>
  receiver.send(source, { body: '', method, event: { rawQueryString: query } });

function expectAnswer(answer: Answer, status: number, body: string, contentType: string | undefined) {
  expect(answer).toEqual({
    statusCode: status,
    headers: {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      'x-content-type-options': 'nosniff',
      'x-oncehook-outcome': 'handshake',
    },
    body,
  });
}

function expectNothingStored({ stage, ended }: Receiver) {
  expect(stage.calls).toEqual([]);
  expect(ended).toEqual([]);
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';
const challengeOf = (length: number): string => 'c'.repeat(length);

function discordHeaders(body: string, at: number): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const signature = sign(null, Buffer.from(timestamp + body), discordKeys.privateKey).toString('hex');
  return { 'x-signature-timestamp': timestamp, 'x-signature-ed25519': signature };
}

/** A signed handshake and its documented answer. */
interface Signed {
  readonly source: string;
  readonly body: (challenge: string) => object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: (challenge: string) => readonly [string, string];
}

const SIGNED: readonly Signed[] = [
  {
    source: 'slack',
    body: (challenge) => ({ token: 't', challenge, type: 'url_verification' }),
    answer: (challenge) => [challenge, TEXT],
  },
  {
    source: 'zoom',
    body: (plainToken) => ({ event: 'endpoint.url_validation', payload: { plainToken }, event_ts: 1 }),
    answer: (plainToken) => [
      JSON.stringify({ plainToken, encryptedToken: createHmac('sha256', SECRET).update(plainToken).digest('hex') }),
      JSON_TYPE,
    ],
  },
  {
    source: 'twitch',
    body: (challenge) => ({ challenge, subscription: { type: 'channel.follow' } }),
    headers: { 'twitch-eventsub-message-type': 'webhook_callback_verification' },
    answer: (challenge) => [challenge, TEXT],
  },
];

describe.each(SIGNED)('the handshake of $source', ({ source, body, headers = {}, answer }) => {
  const delivery = (challenge: string) => ({ body: JSON.stringify(body(challenge)), headers });
  const signWith = (receiver: Receiver, challenge: string, secret = SECRET) =>
    receiver.sendSigned(source, { ...delivery(challenge), id: 'message-1', secret });

  it('is answered as documented and stored nowhere', async () => {
    const receiver = await make();

    const answered = await signWith(receiver, 'challenge-1');

    const [text, type] = answer('challenge-1');
    expectAnswer(answered, 200, text, type);
    expectNothingStored(receiver);
  });

  it('is refused when it is not signed, or not with our secret', async () => {
    const receiver = await make();

    expect((await receiver.send(source, delivery('c'))).statusCode).toBe(401);
    expect((await signWith(receiver, 'c', 'somebody else, who has no secret')).statusCode).toBe(401);
    expectNothingStored(receiver);
  });

  it('is answered up to the longest challenge and not beyond', async () => {
    const receiver = await make();

    expect((await signWith(receiver, challengeOf(MAX_CHALLENGE_CHARACTERS))).statusCode).toBe(200);
    const tooLong = await signWith(receiver, challengeOf(MAX_CHALLENGE_CHARACTERS + 1));
    expect(tooLong.statusCode).toBe(413);
    expect(tooLong.body).not.toContain('ccc');
    expectNothingStored(receiver);
  });

  it('without a challenge is malformed', async () => {
    const receiver = await make();

    expect((await signWith(receiver, '')).statusCode).toBe(400);
  });

  it('goes by no other method', async () => {
    const receiver = await make();

    for (const method of ['GET', 'PUT', 'HEAD', 'OPTIONS', 'DELETE']) {
      expect((await receiver.send(source, { ...delivery('c'), method })).statusCode).toBe(405);
    }
  });
});

describe('a handshake as it is on file', () => {
  it('of Slack brings its challenge', async () => {
    const payload = readSignedPayload('slack-url-verification.json');
    const receiver = await createReceiver(sources, { slack: [payload.secret] });
    receiver.clock.set(epochMs(payload.nowSeconds * 1000));

    expectAnswer(await receiver.send('slack', payload), 200, '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvTESTxyz', TEXT);
    expectNothingStored(receiver);
  });

  it('of Zoom proves the secret', async () => {
    const payload = readSignedPayload('zoom-url-validation.json');
    const receiver = await createReceiver(sources, { zoom: [payload.secret] });
    receiver.clock.set(epochMs(payload.nowSeconds * 1000));

    const encryptedToken = 'e3047d95212aa8c52a24b4d3dab5dfaf24d5f7e12b596d6dda9d21f405a410bf';
    const answer = JSON.stringify({ plainToken: 'testPlainToken123', encryptedToken });
    expectAnswer(await receiver.send('zoom', payload), 200, answer, JSON_TYPE);
    expectNothingStored(receiver);
  });

  it.each(['v0:1:{}', 'a b', 'a.b', 'tokén', 'a\n'])('of Zoom proves nothing of the token %j', async (plainToken) => {
    const receiver = await make();
    const body = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } });

    const answered = await receiver.sendSigned('zoom', { body, secret: SECRET });

    expect([answered.statusCode, answered.body]).toEqual([400, '{"outcome":"malformed"}']);
    expectNothingStored(receiver);
  });

  it('of Discord is a ping', async () => {
    const payload = readSignedPayload('discord-interaction-ping.json');
    const receiver = await createReceiver(sources, { discord: [payload.secret] });
    receiver.clock.set(epochMs(payload.nowSeconds * 1000));

    expectAnswer(await receiver.send('discord', payload), 200, '{"type":1}', JSON_TYPE);
    expectNothingStored(receiver);
  });
});

describe('the pings of Discord', () => {
  const ping = async (body: string, headers?: Readonly<Record<string, string>>) => {
    const receiver = await make();
    const answer = await receiver.send('discord', {
      body,
      headers: headers ?? discordHeaders(body, receiver.clock.now()),
    });
    return { receiver, answer };
  };

  it('of webhook events is answered 204 without a body', async () => {
    const { receiver, answer } = await ping('{"version":1,"application_id":"1","type":0}');

    expectAnswer(answer, 204, '', undefined);
    expectNothingStored(receiver);
  });

  it('is refused when its signature is wrong, as Discord tries on purpose', async () => {
    const body = '{"version":1,"type":0}';
    const { receiver, answer } = await ping(body, discordHeaders(`${body} `, 0));

    expect(answer.statusCode).toBe(401);
    expectNothingStored(receiver);
  });

  it('is not what an event of type 1 is taken for', async () => {
    const { receiver, answer } = await ping('{"type":1,"event":{"type":"APPLICATION_AUTHORIZED"}}');

    await receiver.workAll();
    expect(answer.statusCode).toBe(204);
    expect(receiver.outcomes).toMatchObject([{ kind: 'queued' }, { kind: 'processed' }]);
  });
});

/** An unsigned handshake in the query. */
const UNSIGNED = [
  ['meta', 'GET', 'hub.challenge', `hub.mode=subscribe&hub.verify_token=${encodeURIComponent(VERIFY_TOKEN)}&`],
  ['dropbox', 'GET', 'challenge', ''],
  ['graph', 'POST', 'validationToken', ''],
] as const;

describe.each(UNSIGNED)('the handshake of %s', (source, method, parameter, before) => {
  const ask = (receiver: Receiver, challenge: string, asked: string = method) =>
    get(receiver, source, `${before}${parameter}=${challenge}`, asked);

  it('is answered with the decoded challenge as text and stored nowhere', async () => {
    const receiver = await make();

    const answered = await ask(receiver, 'Validation%3A+Testing%20123%26%25');

    expectAnswer(answered, 200, 'Validation: Testing 123&%', TEXT);
    expectNothingStored(receiver);
    expect(receiver.secretReads()).toBe(0);
  });

  it('is answered up to the longest challenge and not beyond', async () => {
    const receiver = await make();

    expect((await ask(receiver, challengeOf(MAX_CHALLENGE_CHARACTERS))).statusCode).toBe(200);
    expect((await ask(receiver, challengeOf(MAX_CHALLENGE_CHARACTERS + 1))).statusCode).toBe(413);
  });

  it.each(['', '%3Cscript%3Ealert(1)%3C/script%3E', 'a%0Ab', 'a%00b', '%E2%98%95', '%FF'])(
    'sends nothing back for the challenge %j',
    async (challenge) => {
      const receiver = await make();

      const answered = await ask(receiver, challenge);

      expect(answered.statusCode).toBe(400);
      expect(answered.headers['content-type']).toBe(JSON_TYPE);
      expect(answered.body).toBe('{"outcome":"malformed"}');
    },
  );

  it('sends nothing back for two challenges', async () => {
    const receiver = await make();

    expect((await ask(receiver, `a&${parameter}=b`)).statusCode).toBe(400);
  });

  it('goes by no other method', async () => {
    const receiver = await make();

    for (const other of ['GET', 'PUT', 'HEAD', 'OPTIONS', 'DELETE'].filter((one) => one !== method)) {
      expect((await ask(receiver, 'c', other)).statusCode).toBe(405);
    }
  });
});

describe('a query', () => {
  it.each(['meta', 'meta-without', 'dropbox', 'slack', 'stripe', 'zoom', 'twitch', 'discord', 'sns'])(
    'without a handshake is no GET of %s',
    async (source) => {
      const receiver = await make();

      expect((await get(receiver, source, 'a=b')).statusCode).toBe(405);
    },
  );

  it.each(['meta-without', 'slack', 'stripe', 'zoom', 'sns', 'twitch', 'discord'])(
    'with a challenge means nothing to %s, whose preset knows none',
    async (source) => {
      const receiver = await make();
      const query = `hub.mode=subscribe&hub.verify_token=x&hub.challenge=c&challenge=c&validationToken=c`;

      expect((await get(receiver, source, query)).statusCode).toBe(405);
      expect((await get(receiver, source, query, 'POST')).statusCode).toBe(401);
    },
  );

  it.each([
    ['another token', 'hub.verify_token=another'],
    ['no token', 'x=y'],
    ['an empty token', 'hub.verify_token='],
    [
      'the token twice',
      `hub.verify_token=${encodeURIComponent(VERIFY_TOKEN)}&hub.verify_token=${encodeURIComponent(VERIFY_TOKEN)}`,
    ],
  ])('of Meta with %s is answered 401 and never 403', async (_what, token) => {
    const receiver = await make();

    const answered = await get(receiver, 'meta', `hub.mode=subscribe&${token}&hub.challenge=c`);

    expect([answered.statusCode, answered.body]).toEqual([401, '{"outcome":"unauthenticated"}']);
  });

  it('of Meta that does not subscribe is none', async () => {
    const receiver = await make();
    const token = `hub.verify_token=${encodeURIComponent(VERIFY_TOKEN)}`;

    expect((await get(receiver, 'meta', `hub.mode=unsubscribe&${token}&hub.challenge=c`)).statusCode).toBe(405);
  });

  it('with a token does not make a delivery genuine', async () => {
    const receiver = await make();

    const body = '{"value":[{"id":"1","changeType":"updated","clientState":"wrong"}]}';
    expect((await receiver.send('graph', { body })).statusCode).toBe(401);
    expectNothingStored(receiver);
  });
});

it('refuses a verify token where its hash is due, without repeating it', () => {
  const wrongly = () => meta({ verifyTokenSha256: 'my-own-token' });

  expect(wrongly).toThrow(/64 hex digits/);
  expect(wrongly).not.toThrow(/my-own-token/);
});

describe('the confirmation of an SNS subscription', () => {
  const CONFIRM = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription';
  const confirmation = (changes: Readonly<Record<string, string>> = {}, unsigned = {}) =>
    snsMessage(
      {
        Type: 'SubscriptionConfirmation',
        Token: 'token+1',
        SubscribeURL: `${CONFIRM}&TopicArn=${TOPIC}&Token=token`,
        Message: 'You have chosen to subscribe',
        ...changes,
      },
      unsigned,
    );
  const sns = async (answer: DocumentAnswer = { kind: 'found', text: '<ConfirmSubscriptionResponse/>' }) => {
    const asked: DocumentRequest[] = [];
    const receiver = await make(async (request) => {
      asked.push(request);
      return request.url === SNS_CERTIFICATE ? CODE_SENDERS['aws-sns'].publish(request) : answer;
    });
    return { receiver, asked };
  };

  it('asks SNS with the signed token for the configured topic, and is stored nowhere', async () => {
    const { receiver, asked } = await sns();

    const answered = await receiver.send('sns', { body: confirmation() });

    expectAnswer(answered, 200, '{"outcome":"handshake"}', JSON_TYPE);
    expect(asked.map(({ url }) => url)).toEqual([
      SNS_CERTIFICATE,
      `${CONFIRM}&TopicArn=${encodeURIComponent(TOPIC)}&Token=token%2B1`,
    ]);
    expect(asked[1]?.hosts).toEqual(['sns.eu-central-1.amazonaws.com']);
    expectNothingStored(receiver);
  });

  it('does not follow the URL in the message, even one that is signed', async () => {
    const { receiver, asked } = await sns();

    await receiver.send('sns', { body: confirmation({ SubscribeURL: 'https://169.254.169.254/latest/meta-data' }) });

    expect(asked.filter(({ url }) => !url.startsWith('https://sns.eu-central-1.amazonaws.com/'))).toEqual([]);
  });

  it('asks nothing when it is not genuine', async () => {
    const { receiver, asked } = await sns();

    const answered = await receiver.send('sns', { body: confirmation({}, { Token: 'forged' }) });

    expect(answered.statusCode).toBe(401);
    expect(asked.map(({ url }) => url)).toEqual([SNS_CERTIFICATE]);
  });

  it('is answered 503 while SNS does not answer, and 400 for a token that SNS does not know', async () => {
    const down = await sns({ kind: 'unavailable', reason: 'ETIMEDOUT' });
    const unknown = await sns({ kind: 'absent' });

    const answered = await down.receiver.send('sns', { body: confirmation() });

    expect([answered.statusCode, answered.headers['retry-after']]).toEqual([503, '5']);
    expect((await unknown.receiver.send('sns', { body: confirmation() })).statusCode).toBe(400);
  });

  it('takes a token up to 1,024 characters', async () => {
    const { receiver, asked } = await sns();

    await receiver.send('sns', { body: confirmation({ Token: 't'.repeat(1024) }) });
    expect(asked).toHaveLength(2);
    expect((await receiver.send('sns', { body: confirmation({ Token: 't'.repeat(1025) }) })).statusCode).toBe(400);
    expect(asked).toHaveLength(2);
  });
});
