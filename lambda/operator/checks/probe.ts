/**
 * Probes: deliveries that go the whole way through the API, and change nothing.
 *
 * - A source that does not exist must be 404: the API answers, and leads to the receiver.
 * - A wrong signature, or a wrong token where nothing is signed, must be 401: the receiver verifies, and has the source.
 * - A true signature on an event of a type that no handler takes must be `ignored`: secret, signature and identity fit
 *   together. Such an event is acknowledged and leaves no row behind. `malformed` is as good: what is said only after
 *   the signature was found true.
 *
 * The receiver counts all of them: as rejected, and as received. A probe of a real type is another matter: it runs the
 * handler, so it is made only of a source that was named for it.
 */
import type { Source } from '../../authoring/define-sources.ts';
import type { Chance, Clock } from '../../core/ports.ts';
import { milliseconds } from '../../core/time.ts';
import { type Answer, readAnswer } from '../delivery/answer.ts';
import { type PreparedDelivery, prepareDelivery } from '../delivery/prepare-delivery.ts';
import type { Post } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { samplesOf } from '../samples/samples-of.ts';
import { send } from '../send.ts';
import { requireSignable, type SignableSource } from '../signable-source.ts';
import { type Finding, fail, ok, warn } from './check.ts';
import { buildProbeBody } from './probe-body.ts';

export interface ProbeDeps {
  readonly post: Post;
  readonly clock: Clock;
  readonly chance: Pick<Chance, 'token'>;
  /** Without a slash at the end. */
  readonly apiUrl: string;
}

/** No source of this name is likely, and no provider has an event of this type. */
const NO_SOURCE = 'oncehook-doctor-probe';
const NO_TYPE = 'oncehook.doctor';

export async function probeUnknownSource({ post, apiUrl }: ProbeDeps): Promise<readonly Finding[]> {
  const headers = { 'content-type': 'application/json' };
  const answered = await post({ url: `${apiUrl}/webhooks/${NO_SOURCE}`, headers, body: Buffer.from('{}') });
  if (answered.kind === 'unreachable') throw new Refusal(answered.reason);
  const answer = readAnswer(1, answered, milliseconds(0));
  return [judge('probe of an unknown source', answer, [[404, 'unknown-source']])];
}

/** With a wrong and with a true signature. @throws Refusal when no answer comes. */
export async function probeSource(deps: ProbeDeps, source: Source, secret: string): Promise<readonly Finding[]> {
  const check = `probe of ${source.name}`;
  let signable: SignableSource;
  try {
    signable = requireSignable(source);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [warn(check, `not made: ${error.message}`)];
  }
  const delivery = unhandled(deps, signable);
  if (delivery === undefined) return [warn(check, 'not made: no event of it is known that no handler takes')];

  const wrong = signable.signer.provesBody
    ? await sendOnce(deps, signable, secret, delivery, true)
    : await sendOnce(deps, signable, deps.chance.token(), delivery, false);
  const signed = await sendOnce(deps, signable, secret, delivery, false);
  return [
    judge(`${check} with a wrong signature`, wrong, [[401, 'unauthenticated']]),
    judge(`${check}, signed`, signed, [
      [source.provider.successStatus, 'ignored'],
      [400, 'malformed'],
    ]),
  ];
}

/** One event twice, through its handler: applied or queued, and then a duplicate or queued. */
export async function probeHandler(
  deps: ProbeDeps,
  source: Source,
  secret: string,
  type: string,
): Promise<readonly Finding[]> {
  const signable = requireSignable(source);
  const wish = { type, id: undefined, file: undefined, now: deps.clock.now(), uuid: deps.chance.token() };
  const delivery = prepareDelivery({ ...wish, source: signable });
  const status = source.provider.successStatus;
  const check = `probe of ${source.name} ${type}`;
  const first = judge(check, await sendOnce(deps, signable, secret, delivery, false), [
    [status, 'processed'],
    [status, 'queued'],
  ]);
  if (first.verdict !== 'ok') return [first];
  const copy = judge(`${check}, copy`, await sendOnce(deps, signable, secret, delivery, false), [
    [status, 'duplicate'],
    [status, 'queued'],
  ]);
  return [first, copy];
}

/** `undefined` when a handler would take it, or none can be made. */
function unhandled({ chance, clock }: ProbeDeps, source: SignableSource): PreparedDelivery | undefined {
  const { provider } = source;
  const uuid = chance.token();
  const id = samplesOf(provider).newId(uuid, NO_TYPE);
  // Code may ask for more of a body than the least: the sample has that.
  const isCode = provider.scheme.kind === 'code';
  const file = isCode ? undefined : buildProbeBody(provider, id, NO_TYPE);
  if (!isCode && file === undefined) return undefined;
  const delivery = prepareDelivery({ source, type: NO_TYPE, id, file, now: clock.now(), uuid });
  return delivery.types.some((type) => source.rules.has(type)) ? undefined : delivery;
}

async function sendOnce(
  { post, clock, apiUrl }: ProbeDeps,
  { name, signer, publicUrl }: SignableSource,
  secret: string,
  delivery: PreparedDelivery,
  tamper: boolean,
): Promise<Answer> {
  const answers: Answer[] = [];
  const { unreachable } = await send(
    {
      url: `${apiUrl}/webhooks/${name}`,
      signer,
      publicUrl,
      secret,
      delivery,
      times: 1,
      concurrency: 1,
      retries: 0,
      tamper,
    },
    { post, clock, onAnswer: (answer) => answers.push(answer) },
  );
  const [answer] = answers;
  if (answer === undefined) throw new Refusal(unreachable ?? 'no answer came');
  return answer;
}

type Wanted = readonly [status: number, outcome: string];

function judge(check: string, { status, outcome }: Answer, wanted: readonly Wanted[]): Finding {
  if (wanted.some(([code, word]) => status === code && outcome === word)) return ok(check, `${status} ${outcome}`);
  const got = outcome === undefined ? `${status}, and not from Oncehook` : `${status} ${outcome}`;
  return fail(check, `answered ${got}; ${wanted.map((each) => each.join(' ')).join(' or ')} is wanted`);
}
