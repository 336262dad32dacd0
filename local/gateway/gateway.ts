/**
 * Stands between the functions and the services, and is where local AWS is as unkind as the real one.
 *
 * A call comes in with the credentials of one instance. It is counted, held against the role of the
 * function, given to the faults, and handed on under the credentials that everything here shares,
 * byte for byte. People and tests reach the services past it, as administrators.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { applyFault } from '../faults/apply-fault.ts';
import type { Call, Wait } from '../faults/fault.ts';
import { createFaults, type Faults } from '../faults/faults.ts';
import { closeServer, LOOPBACK, listenOnLoopback } from '../http/loopback-server.ts';
import type { Authorizer, Iam } from '../iam/iam.ts';
import { oneLine } from '../problem.ts';
import { createBackEnd } from './back-end.ts';
import { type CallLog, createCallLog } from './call-log.ts';
import { type Caller, type Callers, createCallers } from './callers.ts';
import { accessKeyOf, signedBy } from './credential.ts';
import type { Answer, GatewayService, ServiceCall, ServiceRequest } from './gateway-service.ts';

/** What tests and demonstrations see of it and do with it. */
export interface Gateway {
  readonly calls: CallLog;
  readonly faults: Faults;
  readonly iam: Iam;
  /** Resolves when no call is under way any more, not even one whose sender has given up or died. */
  settled(): Promise<void>;
  /** Closes every connection of the functions, as a service does with one that was quiet for long. */
  closeConnections(): void;
}

export interface RunningGateway extends Gateway {
  /** Base URLs by service, for the functions. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly callers: Callers;
  close(): Promise<void>;
}

export interface GatewayDeps {
  readonly services: readonly GatewayService[];
  /** The access key that the services know. */
  readonly accessKeyId: string;
  readonly iam: Iam & Authorizer;
  /** Told what a person should know: of a call that nothing here can judge, and of a service that is gone. */
  readonly onTrouble: (caller: Caller, text: string) => void;
}

export async function startGateway(deps: GatewayDeps): Promise<RunningGateway> {
  const { accessKeyId, iam, onTrouble } = deps;
  const callers = createCallers();
  const calls = createCallLog();
  const faults = createFaults();
  const backEnd = createBackEnd();
  const closing = Promise.withResolvers<'closed'>();
  const underWay = new Set<Promise<unknown>>();

  async function serve(service: GatewayService, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '', 'x-amz-security-token': sessionToken } = incoming.headers;
    const caller = callers.find(accessKeyOf(authorization) ?? '', String(sessionToken));
    try {
      const { method = 'POST', url: path = '/', headers } = incoming;
      const request = { method, path, headers, body: await buffer(incoming) };
      const answer =
        caller === undefined
          ? service.describeError(strangerError(authorization))
          : await judge(service, caller, request, incoming.rawHeaders);
      if (answer === 'none') response.destroy();
      else send(response, answer);
    } catch (error) {
      response.destroy();
      // A caller that is killed while it sends leaves half a request, which is no trouble of ours.
      if (caller !== undefined && incoming.complete)
        onTrouble(caller, `no answer from ${service.name}: ${oneLine(error)}`);
    }
  }

  async function judge(
    service: GatewayService,
    caller: Caller,
    request: ServiceRequest,
    rawHeaders: readonly string[],
  ): Promise<Answer | 'none'> {
    const call = readCall(service, request);
    if (call === undefined) return service.describeError(NOT_JSON);
    if (call === 'unknown') {
      const action = `${service.name} ${request.headers['x-amz-target'] ?? `${request.method} ${request.path}`}`;
      const message = `local AWS does not know ${action}: write down in local/gateway/services what it needs`;
      onTrouble(caller, message);
      return service.describeError({ code: 'UnknownOperationException', message });
    }
    const headers = signedBy(accessKeyId, rawHeaders);
    return answerTo(service, caller, calls.add(caller, call), (body = request.body) =>
      backEnd.send(service.target, { ...request, body }, headers),
    );
  }

  async function answerTo(
    service: GatewayService,
    caller: Caller,
    call: Call,
    send: (body?: Buffer) => Promise<Answer>,
  ): Promise<Answer | 'none'> {
    const { functionKey, instanceId } = caller;
    const refusalOf = (need: Call['needs'][number]): Answer | undefined => {
      const denial = iam.authorize({ functionKey, instanceId, ...need });
      if (denial === undefined) return undefined;
      return service.describeError({ code: 'AccessDeniedException', message: denial.message });
    };
    for (const need of call.needs) {
      const refusal = refusalOf(need);
      if (refusal !== undefined) return refusal;
    }

    const { toSeeAbsence } = call;
    async function forward(body?: Buffer): Promise<Answer> {
      const answer = await send(body);
      return (answer.status === 404 && toSeeAbsence !== undefined && refusalOf(toSeeAbsence)) || answer;
    }
    const chosen = faults.choose(call);
    return chosen === undefined ? forward() : applyFault(chosen, { service, caller, call, forward, hasClosedAfter });
  }

  async function hasClosedAfter(wait: Wait): Promise<boolean> {
    const waited = typeof wait === 'number' ? delay(wait, 'waited', { ref: false }) : wait;
    return (await Promise.race([waited, closing.promise])) === 'closed';
  }

  async function start(service: GatewayService): Promise<{ readonly server: Server; readonly url: string }> {
    const server = createServer((incoming, response) => {
      const served = serve(service, incoming, response).finally(() => underWay.delete(served));
      underWay.add(served);
    });
    // A frozen instance keeps its connections for as long as it is frozen.
    server.keepAliveTimeout = 0;
    const port = await listenOnLoopback(server, 0);
    return { server, url: `http://${LOOPBACK}:${port}` };
  }

  const started = await Promise.all(deps.services.map(start));
  return {
    endpoints: Object.fromEntries(deps.services.map(({ name }, n) => [name, started[n]?.url ?? ''])),
    callers,
    calls,
    faults,
    iam,
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    closeConnections() {
      for (const { server } of started) server.closeAllConnections();
    },
    async close() {
      closing.resolve('closed');
      await Promise.all(started.map(({ server }) => closeServer(server)));
      backEnd.close();
    },
  };
}

const NOT_JSON = { code: 'SerializationException', message: 'the request is not JSON' };

/** What AWS says to who signs with credentials that it does not know, or does not sign. */
const strangerError = (authorization: string) =>
  authorization === ''
    ? { code: 'MissingAuthenticationTokenException', message: 'Request is missing Authentication Token' }
    : { code: 'UnrecognizedClientException', message: 'The security token included in the request is invalid.' };

function readCall(service: GatewayService, request: ServiceRequest): ServiceCall | 'unknown' | undefined {
  try {
    return service.read(request) ?? 'unknown';
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, [...headers]);
  response.end(body);
}
