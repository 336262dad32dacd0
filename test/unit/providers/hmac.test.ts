import { describe, expect, it } from 'vitest';
import { days, hours, seconds } from '../../../lambda/core/time.ts';
import { hmac } from '../../../lambda/providers/hmac.ts';

const LEAST = { header: 'X-Shop-Signature', id: '$.id', type: '$.type', redelivers: true } as const;
const build = (changes: Readonly<Record<string, unknown>>) =>
  Reflect.apply(hmac, undefined, [{ ...LEAST, ...changes }]);

describe('hmac()', () => {
  it('with the least it needs is hex SHA-256 of the body, forgiving about white space and case', () => {
    expect(hmac(LEAST)).toEqual({
      name: 'hmac',
      scheme: {
        kind: 'hmac',
        hash: 'sha256',
        header: 'x-shop-signature',
        format: { kind: 'bare' },
        encoding: 'hex',
        lenient: true,
        signed: ['body'],
        signs: 'wire',
        secret: { encoding: 'utf8', minKeyBytes: 14 },
      },
      body: 'json',
      id: [{ json: ['id'] }],
      type: [[{ json: ['type'] }]],
      headers: ['content-type', 'user-agent'],
      successStatus: 200,
      deadline: undefined,
      retryHorizon: days(3),
      redelivers: true,
    });
  });

  it('takes everything else from its options', () => {
    const preset = hmac({
      header: 'X-Sig',
      hash: 'sha1',
      encoding: 'base64',
      prefix: 'v0=',
      signed: 'v0:{id}:{timestamp}:{body}',
      timestampHeader: 'X-Time',
      timestampUnit: 'ms',
      idHeader: 'X-Id',
      secretEncoding: 'hex',
      lenient: false,
      signs: 'inflated',
      body: 'json-or-form-payload',
      id: ['header:X-Id', '$.meta.id'],
      type: [['header:X-Event', '$.action'], 'header:X-Event'],
      eventTime: { from: '$.at', unit: 'ms' },
      batch: '$.events',
      headers: ['X-Trace'],
      successStatus: 204,
      deadlineSeconds: 5,
      retryHorizonHours: 0.5,
      redelivers: false,
    });

    expect(preset).toMatchObject({
      scheme: {
        hash: 'sha1',
        header: 'x-sig',
        format: { kind: 'prefixed', prefix: 'v0=' },
        encoding: 'base64',
        lenient: false,
        timestamp: { from: { header: 'x-time' }, unit: 'ms', pastSeconds: 300, futureSeconds: 300 },
        idHeader: 'x-id',
        signed: [{ text: 'v0:' }, 'id', { text: ':' }, 'timestamp', { text: ':' }, 'body'],
        signs: 'inflated',
        secret: { encoding: 'hex' },
      },
      body: 'json-or-form-payload',
      id: [{ header: 'x-id' }, { json: ['meta', 'id'] }],
      type: [[{ header: 'x-event' }, { json: ['action'] }], [{ header: 'x-event' }]],
      eventTime: { from: { json: ['at'] }, unit: 'ms' },
      batch: ['events'],
      successStatus: 204,
      deadline: seconds(5),
      retryHorizon: hours(0.5),
      redelivers: false,
    });
    expect(preset.headers).toEqual(['content-type', 'user-agent', 'x-id', 'x-event', 'x-trace']);
  });

  it('takes the whole body as the batch', () => {
    expect(hmac({ ...LEAST, batch: '$' }).batch).toEqual([]);
  });

  it('names no place for the id when the body’s hash is the id', () => {
    expect(hmac({ ...LEAST, id: 'body-hash' }).id).toEqual([]);
  });

  it.each(['header', 'id', 'type', 'redelivers'])('refuses to be built without %s', (option) => {
    expect(() => build({ [option]: undefined })).toThrow(new RegExp(`hmac\\(\\) needs ${option}: `));
  });

  it.each<[Readonly<Record<string, unknown>>, RegExp]>([
    [{ header: '' }, /needs header to be the name of a header, got ""/],
    [{ header: 'x sig' }, /needs header to be the name of a header/],
    [{ header: 7 }, /needs header to be the name of a header, got 7/],
    [{ hash: 'md5' }, /needs hash to be "sha1" or "sha256" or "sha512", got "md5"/],
    [{ encoding: 'base64url' }, /needs encoding to be/],
    [{ prefix: '' }, /needs prefix to be a text that is not empty/],
    [{ prefix: 'a,b' }, /needs prefix to be/],
    [{ secretEncoding: 'latin1' }, /needs secretEncoding to be/],
    [{ lenient: 'yes' }, /needs lenient to be true or false/],
    [{ signs: 'gzip' }, /needs signs to be/],
    [{ body: 'xml' }, /needs body to be/],
    [{ id: [] }, /needs id to have at least one entry/],
    [{ id: '' }, /needs id to be a location/],
    [{ id: 'id' }, /needs id to be a location such as header:x-event-id or \$\.data\.id, got "id"/],
    [{ type: '' }, /needs type to be a location/],
    [{ type: [] }, /needs type to have at least one entry/],
    [{ type: [[]] }, /needs type to have at least one entry/],
    [{ eventTime: { from: '$.at' } }, /needs eventTime\.unit/],
    [{ eventTime: { unit: 's' } }, /needs eventTime\.from/],
    [{ eventTime: null }, /needs eventTime\.unit/],
    [{ batch: 'events' }, /needs batch to be \$ or a path/],
    [{ headers: 'x-trace' }, /needs headers to be a list of header names/],
    [{ headers: ['x trace'] }, /needs headers to be the name of a header/],
    [{ headers: ['X-Shop-Signature'] }, /must not read or show x-shop-signature/],
    [{ headers: ['Authorization'] }, /must not read or show authorization: it authenticates/],
    [{ headers: ['proxy-authorization'] }, /must not read or show proxy-authorization/],
    [{ headers: ['Cookie'] }, /must not read or show cookie/],
    [{ headers: ['set-cookie'] }, /must not read or show set-cookie/],
    [{ headers: ['X-Api-Key'] }, /must not read or show x-api-key/],
    [{ id: 'header:Authorization' }, /must not read or show authorization/],
    [{ type: 'header:Cookie' }, /must not read or show cookie/],
    [{ eventTime: { from: 'header:Cookie', unit: 's' } }, /must not read or show cookie/],
    [{ idHeader: 'Cookie', signed: '{id}.{body}' }, /must not read or show cookie/],
    [{ id: 'header:X-Shop-Signature' }, /must not read or show x-shop-signature/],
    [{ successStatus: 202 }, /needs successStatus to be 200 or 204, got 202/],
    [{ deadlineSeconds: 0 }, /needs deadlineSeconds to be a number above 0, got 0/],
    [{ retryHorizonHours: Number.NaN }, /needs retryHorizonHours to be a number above 0/],
    [{ redelivers: 'sometimes' }, /needs redelivers to be true or false/],
    [{ timestampHeader: 'x-time' }, /needs timestampHeader and \{timestamp\} in signed together/],
    [{ signed: '{timestamp}.{body}' }, /needs timestampHeader and \{timestamp\} in signed together/],
    [{ timestampUnit: 'ms' }, /needs timestampHeader where there is timestampUnit/],
    [{ timestampHeader: 'x-time', timestampUnit: 'min', signed: '{timestamp}{body}' }, /needs timestampUnit to be/],
    [{ idHeader: 'x-id' }, /needs idHeader and \{id\} in signed together/],
    [{ signed: '{id}.{body}' }, /needs idHeader and \{id\} in signed together/],
    [{ signed: 'v0' }, /needs signed to contain \{body\}/],
    [{ signed: '' }, /needs signed to contain \{body\}/],
    [{ signed: '{body}{body}' }, /needs signed to use \{body\} once/],
    [{ signed: '{url}{body}' }, /needs signed to use only \{body\}, \{timestamp\} and \{id\}, got "\{url\}"/],
    [{ signed: '{body' }, /needs signed to use only/],
    [{ signed: 5 }, /needs signed to be a text/],
  ])('refuses %j', (changes, message) => {
    expect(() => build(changes)).toThrow(message);
  });

  it('takes a signature from the authorization header, and shows it to nobody', () => {
    const preset = hmac({ ...LEAST, header: 'Authorization' });

    expect([preset.scheme.header, preset.headers]).toEqual(['authorization', ['content-type', 'user-agent']]);
  });

  it('names all mistakes at once', () => {
    const wrong = () => build({ header: '', hash: 'md5', type: '' });

    expect(wrong).toThrow(/needs header.*needs hash.*needs type|needs hash.*needs header.*needs type/);
  });

  it.each([null, 'a secret', 7, ['x']])('refuses %j in place of its options without repeating it', (options) => {
    const wrong = () => Reflect.apply(hmac, undefined, [options]);

    expect(wrong).toThrow(/hmac\(\) takes an object of options/);
    expect(wrong).not.toThrow(/a secret/);
  });
});
