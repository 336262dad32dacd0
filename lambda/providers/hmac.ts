import { hours, seconds } from '../core/time.ts';
import { freezePreset } from './freeze-preset.ts';
import { createOptionReader } from './hmac-option-reader.ts';
import { HMAC_OPTIONS, type HmacOptions } from './hmac-options.ts';
import { findUnknownOptions, refuseProblems } from './known-options.ts';
import type { ProviderPreset } from './preset.ts';
import type { HmacScheme } from './scheme.ts';
import { SHORTEST_CHOSEN_KEY_BYTES } from './shortest-chosen-key.ts';

const DEFAULT_TOLERANCE_SECONDS = 300;

/** As long as Stripe and Paddle go on, the longest automatic plans of the usual senders but Adyen's. */
const DEFAULT_RETRY_HORIZON_HOURS = 72;

/** What a handler gets it may log, return or write: credentials of whoever stands before us are not for it. */
const AUTHENTICATING = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'];

/**
 * Any sender that puts an HMAC of the body into a header.
 *
 * @example
 * shop: {
 *   provider: hmac({
 *     header: 'x-shop-signature',
 *     prefix: 'sha256=',
 *     timestampHeader: 'x-shop-time',
 *     signed: '{timestamp}.{body}',
 *     id: '$.event.id',
 *     type: '$.event.name',
 *     redelivers: true,
 *   }),
 *   on: { 'order.paid': creditOrder },
 * }
 *
 * @throws OncehookError `CONFIG_INVALID` that names the options it does not know, or all that are missing or wrong.
 */
export function hmac(options: HmacOptions): ProviderPreset {
  refuseProblems('hmac', findUnknownOptions(options, HMAC_OPTIONS));

  const read = createOptionReader();
  const scheme = readScheme(options, read);
  const id = options.id === 'body-hash' ? [] : read.locations('id', options.id);
  const type = read.typeEntries('type', options.type);
  const eventTime = options.eventTime === undefined ? undefined : read.eventTime('eventTime', options.eventTime);
  const named = [...id, ...type.flat(), ...(eventTime === undefined ? [] : [eventTime.from])].flatMap((location) =>
    'header' in location ? [location.header] : [],
  );
  const idHeader = scheme.idHeader === undefined ? [] : [scheme.idHeader];
  const extra = read.headerNames('headers', options.headers ?? []);
  const headers = [...new Set(['content-type', 'user-agent', ...idHeader, ...named, ...extra])];
  for (const name of headers.filter((name) => name === scheme.header || AUTHENTICATING.includes(name))) {
    read.problem(`must not read or show ${name}: it authenticates, and what authenticates is for no handler`);
  }
  const deadlineSeconds = read.positive('deadlineSeconds', options.deadlineSeconds);
  const retryHorizonHours = read.positive('retryHorizonHours', options.retryHorizonHours);

  const preset: ProviderPreset = {
    name: 'hmac',
    scheme,
    body: read.oneOf('body', options.body ?? 'json', ['json', 'json-or-form-payload']),
    id,
    type,
    ...(eventTime === undefined ? {} : { eventTime }),
    ...(options.batch === undefined ? {} : { batch: read.path('batch', options.batch) }),
    headers,
    successStatus: read.oneOf('successStatus', options.successStatus ?? 200, [200, 204]),
    deadline: deadlineSeconds === undefined ? undefined : seconds(deadlineSeconds),
    retryHorizon: hours(retryHorizonHours ?? DEFAULT_RETRY_HORIZON_HOURS),
    redelivers: read.oneOf('redelivers', options.redelivers, [true, false]),
  };
  refuseProblems('hmac', read.problems);
  return freezePreset(preset);
}

function readScheme(options: HmacOptions, read: ReturnType<typeof createOptionReader>): HmacScheme {
  const timestampHeader =
    options.timestampHeader === undefined ? undefined : read.headerName('timestampHeader', options.timestampHeader);
  const idHeader = options.idHeader === undefined ? undefined : read.headerName('idHeader', options.idHeader);
  const signed = read.signed(options.signed ?? '{body}');
  if (signed.includes('timestamp') !== (timestampHeader !== undefined)) {
    read.problem('needs timestampHeader and {timestamp} in signed together: only a signed time proves anything');
  }
  if (signed.includes('id') !== (idHeader !== undefined)) {
    read.problem('needs idHeader and {id} in signed together');
  }
  const unit = read.oneOf('timestampUnit', options.timestampUnit ?? 's', ['s', 'ms']);
  if (options.timestampUnit !== undefined && timestampHeader === undefined) {
    read.problem('needs timestampHeader where there is timestampUnit');
  }

  return {
    kind: 'hmac',
    hash: read.oneOf('hash', options.hash ?? 'sha256', ['sha1', 'sha256', 'sha512']),
    header: read.headerName('header', options.header),
    format:
      options.prefix === undefined
        ? { kind: 'bare' }
        : { kind: 'prefixed', prefix: read.prefix('prefix', options.prefix) },
    encoding: read.oneOf('encoding', options.encoding ?? 'hex', ['hex', 'base64']),
    lenient: read.oneOf('lenient', options.lenient ?? true, [true, false]),
    ...(timestampHeader === undefined
      ? {}
      : {
          timestamp: {
            from: { header: timestampHeader },
            unit,
            pastSeconds: DEFAULT_TOLERANCE_SECONDS,
            futureSeconds: DEFAULT_TOLERANCE_SECONDS,
          },
        }),
    ...(idHeader === undefined ? {} : { idHeader }),
    signed,
    signs: read.oneOf('signs', options.signs ?? 'wire', ['wire', 'inflated']),
    secret: {
      encoding: read.oneOf('secretEncoding', options.secretEncoding ?? 'utf8', ['utf8', 'base64', 'hex']),
      minKeyBytes: SHORTEST_CHOSEN_KEY_BYTES,
    },
  };
}
