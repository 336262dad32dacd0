import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { plus } from '../../../lambda/core/time.ts';
import { MAX_EVENTS } from '../../../lambda/providers/batch.ts';
import { paypal } from '../../../lambda/providers/paypal.ts';
import {
  adyenItem,
  adyenItemOf,
  CODE_SENDERS,
  PAYPAL_CERTIFICATE,
  plaidKey,
  SNS_CERTIFICATE,
  signPaypal,
  signPlaid,
  signTwilio,
  snsMessage,
  snsMessageId,
  sslcommerzForm,
  TOPIC,
  TWILIO_URL,
} from '../../support/code-senders.ts';
import { type CodeCase, codeVerdict } from '../../support/code-verdict.ts';
import { T0 } from '../../support/manual-clock.ts';

const VERIFIED = { kind: 'verified', secretIndex: 0 };
const rejected = (reason: string) => ({ kind: 'rejected', reason });

describe('twilio', () => {
  const { preset, secret } = CODE_SENDERS.twilio;
  const JSON_BODY = '{"MessageSid":"SM1"}';
  const sha256 = createHash('sha256').update(JSON_BODY).digest('hex');
  const verdict = (url: string, body: string, headers: Readonly<Record<string, string>>) =>
    codeVerdict(preset.scheme, { url, body, headers, secrets: [secret] }).verdict;

  it('takes a JSON body by its hash in the query, and no other body', () => {
    const url = `${TWILIO_URL}?bodySHA256=${sha256}`;
    const headers = { 'x-twilio-signature': signTwilio(url, secret, {}) };

    expect(verdict(url, JSON_BODY, headers)).toEqual(VERIFIED);
    expect(verdict(url, '{"MessageSid":"SM2"}', headers)).toEqual(rejected('body_hash_mismatch'));
  });

  it('takes no body whose hash is one of two', () => {
    const url = `${TWILIO_URL}?bodySHA256=${sha256}&bodySHA256=${'0'.repeat(64)}`;

    expect(verdict(url, JSON_BODY, { 'x-twilio-signature': signTwilio(url, secret, {}) })).toEqual(
      rejected('body_hash_mismatch'),
    );
  });

  it('takes no JSON body that nothing signs', () => {
    const headers = { 'x-twilio-signature': signTwilio(TWILIO_URL, secret, {}) };

    expect(verdict(TWILIO_URL, '', headers)).toEqual(VERIFIED);
    expect(verdict(TWILIO_URL, JSON_BODY, headers)).toEqual(rejected('unreadable_body'));
  });

  const SID = `SM${'0'.repeat(32)}`;
  const genuine = { Body: 'x', MessageSid: SID, MessageStatus: 'delivered' };
  /** A form under the signature of the genuine one: each is signed alike. */
  const alike = (form: string) =>
    verdict(TWILIO_URL, form, { 'x-twilio-signature': signTwilio(TWILIO_URL, secret, genuine) });

  it.each([
    ['the genuine form', `Body=x&MessageSid=${SID}&MessageStatus=delivered`, VERIFIED],
    [
      'its sid twice',
      `Body=x&MessageSid=${SID}&MessageSid=${SID}&MessageStatus=delivered`,
      rejected('repeated_header'),
    ],
    ['its sid in the text before it', `Body=xMessageSid${SID}&MessageStatus=delivered`, rejected('uncovered_field')],
    ['its status in the sid', `Body=x&MessageSid=${SID}MessageStatusdelivered`, rejected('uncovered_field')],
    [
      'the form in a member of a JSON object',
      `{"a":"&Body=x&MessageSid=${SID}&MessageStatus=delivered`,
      rejected('unreadable_body'),
    ],
  ])('takes %s as what it says, whatever is signed alike', (_case, form, expected) => {
    expect(alike(form)).toEqual(expected);
  });

  it('takes no sid whose end became the name of another parameter', () => {
    const sid = `SM${'0'.repeat(20)}abcdef012345`;
    const headers = {
      'x-twilio-signature': signTwilio(TWILIO_URL, secret, { MessageSid: sid, SmsStatus: 'received' }),
    };
    const cut = sid.slice(0, 22);

    expect(verdict(TWILIO_URL, `MessageSid=${sid}&SmsStatus=received`, headers)).toEqual(VERIFIED);
    expect(verdict(TWILIO_URL, `MessageSid=${cut}&abcdef012345SmsStatus=received`, headers)).toEqual(
      rejected('uncovered_field'),
    );
  });

  it('takes another query as another URL', () => {
    const headers = { 'x-twilio-signature': signTwilio(`${TWILIO_URL}?a=1&b=2`, secret, { A: '1' }) };

    expect(verdict(`${TWILIO_URL}?a=1&b=2`, 'A=1', headers)).toEqual(VERIFIED);
    expect(verdict(`${TWILIO_URL}?b=2&a=1`, 'A=1', headers)).toEqual(rejected('signature_mismatch'));
    expect(verdict(TWILIO_URL, 'A=1', headers)).toEqual(rejected('signature_mismatch'));
  });

  it('takes 1,000 parameters and not one more', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, 'v']));
    const of = (count: number) =>
      verdict(TWILIO_URL, new URLSearchParams(fields(count)).toString(), {
        'x-twilio-signature': signTwilio(TWILIO_URL, secret, fields(count)),
      });

    expect(of(1000)).toEqual(VERIFIED);
    expect(of(1001)).toEqual(rejected('unreadable_body'));
  });

  it('takes the digest that the settings name and no other', () => {
    const sha256Signature = createHmac('sha256', secret).update(`${TWILIO_URL}A1`).digest('base64');
    const settings = { 'x-twilio-webhooks-signature-settings': 'key=k, algorithm=HMAC_SHA256' };

    expect(verdict(TWILIO_URL, 'A=1', { 'x-twilio-signature': sha256Signature, ...settings })).toEqual(VERIFIED);
    expect(verdict(TWILIO_URL, 'A=1', { 'x-twilio-signature': sha256Signature })).toEqual(
      rejected('malformed_signature'),
    );
  });
});

describe('adyen', () => {
  const { preset, secret, otherSecret } = CODE_SENDERS.adyen;
  const verdict = (...notificationItems: readonly unknown[]) =>
    codeVerdict(preset.scheme, { body: JSON.stringify({ notificationItems }), secrets: [secret] }).verdict;

  it('takes a delivery only when every item is genuine', () => {
    const good = adyenItem(secret);

    expect(verdict(good, adyenItem(secret, { pspReference: 'psp-2' }))).toEqual(VERIFIED);
    expect(verdict(good, adyenItem(otherSecret))).toEqual(rejected('signature_mismatch'));
    expect(verdict(good, {})).toEqual(rejected('missing_item_signature'));
    expect(verdict(good, null)).toEqual(rejected('missing_item_signature'));
    expect(verdict()).toEqual(rejected('missing_item_signature'));
  });

  it('takes no field that could be the end of one and the begin of the next', () => {
    const signed = adyenItemOf(secret, 'psp-1::TideTables:cart:1:1250:EUR:AUTHORISATION:true');
    const moved = {
      pspReference: 'psp-1:',
      originalReference: 'TideTables',
      merchantAccountCode: 'cart',
      merchantReference: '1',
    };

    expect(verdict(signed({ merchantReference: 'cart:1' }))).toEqual(VERIFIED);
    expect(verdict(signed(moved))).toEqual(rejected('ambiguous_field'));
    for (const name of ['pspReference', 'originalReference', 'merchantAccountCode', 'eventCode', 'success']) {
      expect(verdict(signed({ [name]: 'a:b' }))).toEqual(rejected('ambiguous_field'));
      expect(verdict(signed({ [name]: 7 }))).toEqual(rejected('ambiguous_field'));
    }
    expect(verdict(signed({ amount: { value: '1250:EUR', currency: '' } }))).toEqual(rejected('ambiguous_field'));
    expect(verdict(signed({ amount: { value: 1250, currency: ['EUR'] } }))).toEqual(rejected('ambiguous_field'));
    expect(verdict(signed({ amount: { value: true, currency: 'EUR' } }))).toEqual(rejected('ambiguous_field'));
  });

  it('takes a merchant’s reference with colons, and a success that is no text', () => {
    const signed = adyenItemOf(secret, 'psp-1::TideTables:cart:1:1250:EUR:AUTHORISATION:true');

    expect(verdict(signed({ merchantReference: 'cart:1', success: true }))).toEqual(VERIFIED);
  });

  it('takes as many items as a delivery may have and not one more', () => {
    const items = Array.from({ length: MAX_EVENTS }, () => adyenItem(secret));

    expect(verdict(...items)).toEqual(VERIFIED);
    expect(verdict(...items, adyenItem(secret))).toEqual(rejected('too_many_signatures'));
  });

  it('takes a key in either case of its digits', () => {
    const key = 'ab'.repeat(32);

    expect(
      codeVerdict(preset.scheme, {
        body: JSON.stringify({ notificationItems: [adyenItem(key)] }),
        secrets: [key.toUpperCase()],
      }).verdict,
    ).toEqual(VERIFIED);
  });
});

describe('paypal', () => {
  const { preset, secret, publish } = CODE_SENDERS.paypal;
  const body = '{"id":"WH-1","event_type":"X"}';
  const of = (changes: Readonly<Record<string, string>>, more: Partial<CodeCase> = {}, { scheme } = preset) =>
    codeVerdict(scheme, {
      body,
      headers: { ...signPaypal(body, secret, T0), ...changes },
      secrets: [secret],
      publish,
      ...more,
    });

  it.each([
    'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1',
    'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1',
    'https://www.paypal.com/v1/notifications/certs/CERT-1',
    'https://evil.example/v1/notifications/certs/CERT-1?api.paypal.com',
    'http://api.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com:444/v1/notifications/certs/CERT-1',
    'https://u:p@api.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com/v1/notifications/certs/../../x',
    'https://api.paypal.com/v1/notifications/certs/CERT-1/..',
    'https://api.paypal.com/v1/notifications/certs/CERT-1?x=1',
    'https://api.paypal.com/v1/notifications/certs/CERT-1#x',
    'https://api.paypal.com/v1/notifications/certs/',
    `https://api.paypal.com/v1/notifications/certs/${'a'.repeat(129)}`,
    'https://api.paypal.com/elsewhere',
    '/v1/notifications/certs/CERT-1',
  ])('asks for no certificate at %s', (url) => {
    expect(of({ 'paypal-cert-url': url })).toEqual({ verdict: rejected('cert_url_not_allowed'), asked: [] });
  });

  it('asks the sandbox only where it is the sandbox', () => {
    const url = PAYPAL_CERTIFICATE.replace('api.', 'api.sandbox.');
    const sandbox = paypal({ mode: 'sandbox' });

    expect(of({ 'paypal-cert-url': url }, {}, sandbox).asked.map((document) => document.url)).toEqual([url]);
    expect(of({}, {}, sandbox).verdict).toEqual(rejected('cert_url_not_allowed'));
  });

  it.each([
    ['paypal-auth-algo', 'SHA1withRSA', 'bad_algorithm'],
    ['paypal-auth-algo', 'none', 'bad_algorithm'],
    ['paypal-transmission-id', 'a|b', 'bad_id'],
    ['paypal-transmission-time', 'yesterday', 'bad_timestamp'],
    ['paypal-transmission-time', '2026-12-01|T00:00:00Z', 'bad_timestamp'],
    ['paypal-transmission-sig', '%%%', 'malformed_signature'],
  ])('asks for no certificate when %s is %s', (name, value, reason) => {
    expect(of({ [name]: value })).toEqual({ verdict: rejected(reason), asked: [] });
  });

  it('judges the time only where the source says how old it may be', () => {
    const DAYS = 3 * 86_400_000;

    expect(of({}, { at: plus(T0, DAYS) }).verdict).toEqual(VERIFIED);
    expect(of({}, { at: plus(T0, 300_000), toleranceSeconds: 300 }).verdict).toEqual(VERIFIED);
    expect(of({}, { at: plus(T0, 300_001), toleranceSeconds: 300 }).verdict).toEqual(rejected('timestamp_too_old'));
    expect(of({}, { at: plus(T0, -300_000), toleranceSeconds: 300 }).verdict).toEqual(VERIFIED);
    expect(of({}, { at: plus(T0, -300_001), toleranceSeconds: 300 }).verdict).toEqual(rejected('timestamp_too_new'));
  });
});

describe('plaid', () => {
  const { preset, secret, publish } = CODE_SENDERS.plaid;
  const body = '{"webhook_type":"ITEM","webhook_code":"ERROR"}';
  const of = (token: string, more: Partial<CodeCase> = {}) =>
    codeVerdict(preset.scheme, { body, headers: { 'plaid-verification': token }, secrets: [secret], publish, ...more });

  it.each([
    [{ alg: 'none', kid: 'k' }, 'bad_algorithm'],
    [{ alg: 'HS256', kid: 'k' }, 'bad_algorithm'],
    [{ kid: 'k' }, 'bad_algorithm'],
    [{ alg: 'ES256' }, 'key_not_found'],
    [{ alg: 'ES256', kid: 7 }, 'key_not_found'],
    [{ alg: 'ES256', kid: '../k' }, 'key_not_found'],
    [{ alg: 'ES256', kid: '' }, 'key_not_found'],
    [{ alg: 'ES256', kid: 'k'.repeat(65) }, 'key_not_found'],
  ])('asks for no key for the header %j', (header, reason) => {
    expect(of(signPlaid(body, T0, header))).toEqual({ verdict: rejected(reason), asked: [] });
  });

  it('asks for no key for a token that its own claims refuse', () => {
    expect(of(signPlaid('{}', T0))).toEqual({ verdict: rejected('body_hash_mismatch'), asked: [] });
    expect(of(signPlaid(body, plus(T0, -301_000)))).toEqual({ verdict: rejected('timestamp_too_old'), asked: [] });
    expect(of(signPlaid(body, plus(T0, 301_000)))).toEqual({ verdict: rejected('timestamp_too_new'), asked: [] });
  });

  it('takes a token that is 300 s old, or as old as the source allows', () => {
    expect(of(signPlaid(body, plus(T0, -300_000))).verdict).toEqual(VERIFIED);
    expect(of(signPlaid(body, plus(T0, -600_000)), { toleranceSeconds: 600 }).verdict).toEqual(VERIFIED);
  });

  it.each(['', 'a.b', 'a.b.c.d', '..', 'ü.b.c', 'a.b.c'])('has no proof in the token %j', (token) => {
    expect(of(token).verdict.kind).toBe('rejected');
    expect(of(token).asked).toEqual([]);
  });

  it('takes a key until it expires', () => {
    const expiring = (at: number) =>
      of(signPlaid(body, T0), {
        publish: () => ({ kind: 'found', text: plaidKey({ expired_at: at }) }),
      }).verdict;

    expect(expiring(T0 / 1000 + 1)).toEqual(VERIFIED);
    expect(expiring(T0 / 1000)).toEqual(rejected('key_not_found'));
  });

  it.each([{ kid: 'another' }, { kty: 'RSA' }, { crv: 'P-384' }, { x: 'AAAA' }, { x: undefined }])(
    'takes no key with %j',
    (changes) => {
      const text = plaidKey(changes);

      expect(of(signPlaid(body, T0), { publish: () => ({ kind: 'found', text }) }).verdict).toEqual(
        rejected('key_not_found'),
      );
    },
  );

  it.each(['no colon in this whole text', ':only-a-secret-of-the-account', 'only-an-id-and-nothing-more:'])(
    'has no use for the secret %j',
    (wrong) => {
      expect(of(signPlaid(body, T0), { secrets: [wrong] }).verdict).toEqual(rejected('no_usable_secret'));
    },
  );
});

describe('aws-sns', () => {
  const { preset, publish } = CODE_SENDERS['aws-sns'];
  const of = (body: string, more: Partial<CodeCase> = {}) =>
    codeVerdict(preset.scheme, { body, secrets: [TOPIC], publish, ...more });

  it('asks for nothing for a topic that is not ours', () => {
    const others = snsMessage({ TopicArn: TOPIC.replace('123456789012', '999999999999') });

    expect(of(others)).toEqual({ verdict: rejected('unexpected_topic'), asked: [] });
  });

  it.each([
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem',
    'https://sns.eu-central-1.amazonaws.com.cn/SimpleNotificationService-1.pem',
    'https://evil.example/sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://bucket.s3.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
    'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-1.pem',
    'https://sns.eu-central-1.amazonaws.com/elsewhere.pem',
    'https://sns.eu-central-1.amazonaws.com/?Action=Publish',
    `https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-${'1'.repeat(65)}.pem`,
    '',
    7,
  ])('asks for no certificate at %s', (SigningCertURL) => {
    expect(of(snsMessage({}, { SigningCertURL }))).toEqual({ verdict: rejected('cert_url_not_allowed'), asked: [] });
  });

  it('asks the host of the topic in China for topics there', () => {
    const topic = 'arn:aws-cn:sns:cn-north-1:123456789012:tides';
    const url = 'https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-1.pem';

    const { asked } = of(snsMessage({ TopicArn: topic }, { SigningCertURL: url }), { secrets: [topic] });

    expect(asked).toEqual([{ url, hosts: ['sns.cn-north-1.amazonaws.com.cn'], name: url }]);
  });

  it.each(['1', '2'])('takes signature version %s', (SignatureVersion) => {
    expect(of(snsMessage({}, { SignatureVersion })).verdict).toEqual(VERIFIED);
  });

  it.each(['0', '3', '', 2, undefined])('takes no signature version %j', (SignatureVersion) => {
    const message = JSON.stringify({ ...JSON.parse(snsMessage()), SignatureVersion });

    expect(of(message)).toEqual({ verdict: rejected('bad_algorithm'), asked: [] });
  });

  it('takes no value that could be a further line', () => {
    const genuine = snsMessage({ Subject: 'Tide' });
    const id = snsMessageId('1');
    // The signed lines are those of the genuine message.
    const { Subject: _left, ...others } = JSON.parse(genuine);
    const merged = JSON.stringify({ ...others, MessageId: `${id}\nSubject\nTide` });

    expect(of(genuine).verdict).toEqual(VERIFIED);
    expect(of(merged)).toEqual({ verdict: rejected('ambiguous_field'), asked: [] });
    expect(of(snsMessage({ Message: 'two\nlines' })).verdict).toEqual(VERIFIED);
    for (const name of ['Subject', 'Timestamp', 'TopicArn', 'MessageId']) {
      expect(of(snsMessage({ [name]: 'a\nb' })).verdict).toEqual(rejected('ambiguous_field'));
      expect(of(snsMessage({ [name]: 'a\r' })).verdict).toEqual(rejected('ambiguous_field'));
    }
    const confirmation = { Type: 'SubscriptionConfirmation', SubscribeURL: 'https://example/', Token: 't' };
    expect(of(snsMessage(confirmation)).verdict).toEqual(VERIFIED);
    for (const name of ['SubscribeURL', 'Token']) {
      expect(of(snsMessage({ ...confirmation, [name]: 'a\nb' })).verdict).toEqual(rejected('ambiguous_field'));
    }
  });

  it.each(['', 'message-1', `${snsMessageId('1')}0`, ` ${snsMessageId('1')}`, snsMessageId('1').replaceAll('-', '')])(
    'takes no message id %j, which is no UUID',
    (MessageId) => {
      expect(of(snsMessage({ MessageId }))).toEqual({ verdict: rejected('bad_id'), asked: [] });
    },
  );

  it('takes a subject as signed where there is one', () => {
    expect(of(snsMessage({ Subject: 'Tide' })).verdict).toEqual(VERIFIED);
    expect(of(snsMessage({ Subject: 'Tide' }, { Subject: 'Ebb' })).verdict).toEqual(rejected('signature_mismatch'));
    expect(of(snsMessage({}, { Subject: 'Tide' })).verdict).toEqual(rejected('signature_mismatch'));
  });

  it.each(['Message', 'MessageId', 'Timestamp', 'Type'])('takes no message without %s', (name) => {
    const { [name]: _left, ...others } = JSON.parse(snsMessage());

    expect(of(JSON.stringify(others))).toEqual({ verdict: rejected('uncovered_field'), asked: [] });
  });

  it('takes no type that it does not know, and no confirmation without its token', () => {
    expect(of(snsMessage({ Type: 'Other' })).verdict).toEqual(rejected('uncovered_field'));
    expect(of(snsMessage({ Type: 'SubscriptionConfirmation' })).verdict).toEqual(rejected('uncovered_field'));
  });

  it('has no use for a secret that is no ARN', () => {
    const notAnArn = 'a text of more than thirty characters';

    expect(of(snsMessage({ TopicArn: notAnArn }), { secrets: [notAnArn] }).verdict).toEqual(
      rejected('no_usable_secret'),
    );
  });

  it('judges the time only where the source says how old it may be', () => {
    expect(of(snsMessage(), { at: plus(T0, 30 * 86_400_000) }).verdict).toEqual(VERIFIED);
    expect(of(snsMessage(), { at: plus(T0, 300_000), toleranceSeconds: 300 }).verdict).toEqual(VERIFIED);
    expect(of(snsMessage(), { at: plus(T0, 300_001), toleranceSeconds: 300 }).verdict).toEqual(
      rejected('timestamp_too_old'),
    );
    expect(of(snsMessage({ Timestamp: 'never' }), { toleranceSeconds: 300 }).verdict).toEqual(
      rejected('timestamp_too_old'),
    );
  });

  it('asks for one certificate by the address it has read', () => {
    expect(of(snsMessage()).asked.map(({ url }) => url)).toEqual([SNS_CERTIFICATE]);
  });
});

describe('microsoft-graph', () => {
  const { preset, secret, otherSecret } = CODE_SENDERS['microsoft-graph'];
  const of = (states: readonly unknown[], secrets: readonly string[] = [secret]) =>
    codeVerdict(preset.scheme, {
      body: JSON.stringify({ value: states.map((clientState) => ({ clientState })) }),
      secrets,
    }).verdict;

  it('takes a delivery only when every item has a state that is ours', () => {
    expect(of([secret, secret])).toEqual(VERIFIED);
    expect(of([secret, otherSecret], [secret, otherSecret])).toEqual({ kind: 'verified', secretIndex: 1 });
    expect(of([secret, otherSecret])).toEqual(rejected('signature_mismatch'));
    expect(of([secret, undefined])).toEqual(rejected('missing_item_signature'));
    expect(of([secret, ''])).toEqual(rejected('missing_item_signature'));
    expect(of([secret, [secret]])).toEqual(rejected('missing_item_signature'));
    expect(of([])).toEqual(rejected('missing_item_signature'));
  });

  it('takes as many items as a delivery may have and not one more', () => {
    const states = Array.from({ length: MAX_EVENTS }, () => secret);

    expect(of(states)).toEqual(VERIFIED);
    expect(of([...states, secret])).toEqual(rejected('too_many_signatures'));
  });
});

describe('sslcommerz', () => {
  const { preset, secret } = CODE_SENDERS.sslcommerz;
  const of = (body: string) => codeVerdict(preset.scheme, { body, secrets: [secret] }).verdict;
  const FIELDS = { tran_id: 'T-1', val_id: 'v1', amount: '250.00', currency: 'BDT', status: 'VALID', card_type: 'X' };

  it('leaves out what is not listed, but not what events are named by', () => {
    const all = Object.keys(FIELDS);
    const without = (name: string) =>
      of(
        sslcommerzForm(
          FIELDS,
          secret,
          all.filter((one) => one !== name),
        ),
      );

    expect(without('card_type')).toEqual(VERIFIED);
    for (const name of ['tran_id', 'val_id', 'amount', 'currency', 'status']) {
      expect(without(name)).toEqual(rejected('uncovered_field'));
    }
  });

  it('takes a failed payment, which has no val_id', () => {
    expect(of(sslcommerzForm({ tran_id: 'T-1', status: 'FAILED' }, secret))).toEqual(VERIFIED);
    expect(of(sslcommerzForm({ status: 'FAILED' }, secret))).toEqual(rejected('uncovered_field'));
  });

  it('takes no form with a field twice', () => {
    expect(of(`${sslcommerzForm(FIELDS, secret)}&amount=1.00`)).toEqual(rejected('repeated_header'));
  });

  it('takes nothing that reads as JSON, whatever form is inside it', () => {
    const forged = `{"val_id":"FORGED","tran_id":"T2","amount":"99999.00","status":"VALID","x":"&${sslcommerzForm(FIELDS, secret)}&z="}`;

    expect(of(forged)).toEqual(rejected('unreadable_body'));
    expect(of(` \n\uFEFF${forged}`)).toEqual(rejected('unreadable_body'));
  });

  it('takes no field in the value of another', () => {
    const { val_id: _gone, ...rest } = FIELDS;

    expect(of(sslcommerzForm({ ...rest, tran_id: 'T-1&val_id=v1' }, secret))).toEqual(rejected('uncovered_field'));
    expect(of(sslcommerzForm({ ...FIELDS, 'a=b&c': '1' }, secret))).toEqual(rejected('uncovered_field'));
    expect(of(sslcommerzForm({ ...FIELDS, card_type: 'VISA-Dutch Bangla & Co' }, secret))).toEqual(VERIFIED);
  });
});

describe('postmark', () => {
  const { preset, secret } = CODE_SENDERS.postmark;
  const of = (authorization: string) =>
    codeVerdict(preset.scheme, { body: '{}', headers: { authorization }, secrets: [secret] }).verdict;
  const encoded = Buffer.from(secret).toString('base64');

  it('takes the word in either case and nothing but basic authentication', () => {
    expect(of(`basic ${encoded}`)).toEqual(VERIFIED);
    expect(of(`Bearer ${encoded}`)).toEqual(rejected('malformed_signature'));
    expect(of(encoded)).toEqual(rejected('malformed_signature'));
    expect(of('Basic')).toEqual(rejected('malformed_signature'));
    expect(of(`Basic ${secret}`)).toEqual(rejected('malformed_signature'));
  });
});
