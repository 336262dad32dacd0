import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, LOOPBACK, listenOnLoopback } from '../http/loopback-server.ts';
import { accessKeyOf } from './credential.ts';
import type { Answer, ServiceError, ServiceRequest } from './gateway-service.ts';

export interface ServiceServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ServiceServerDeps {
  readonly accessKeyId: string;
  /** An error in the service's own form. */
  readonly describeError: (error: ServiceError) => Answer;
  /**
   * @param rawHeaders names and values in turn
   * @throws SyntaxError for a body that is not what the service speaks; after any other the caller gets no answer.
   */
  readonly answer: (
    request: ServiceRequest,
    rawHeaders: readonly string[],
  ) => Answer | ServiceError | Promise<Answer | ServiceError>;
}

/**
 * Serves on the loopback address what stands in for one AWS service. It answers only who signs with our access
 * key, because other users of this machine can reach the port as well.
 */
export async function startServiceServer({
  accessKeyId,
  describeError,
  answer,
}: ServiceServerDeps): Promise<ServiceServer> {
  async function answerTo(incoming: IncomingMessage): Promise<Answer> {
    const { method = 'POST', url: path = '/', headers } = incoming;
    const request = { method, path, headers, body: await buffer(incoming) };
    if (accessKeyOf(headers.authorization ?? '') !== accessKeyId) return describeError(STRANGER);
    try {
      const answered = await answer(request, incoming.rawHeaders);
      return 'code' in answered ? describeError(answered) : answered;
    } catch (error) {
      if (error instanceof SyntaxError) return describeError(UNREADABLE);
      throw error;
    }
  }

  const server = createServer((incoming, response) => {
    answerTo(incoming).then(
      ({ status, headers, body }) => response.writeHead(status, [...headers]).end(body),
      () => response.destroy(),
    );
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://${LOOPBACK}:${port}`, close: () => closeServer(server) };
}

const STRANGER: ServiceError = {
  code: 'UnrecognizedClientException',
  message: 'The security token included in the request is invalid.',
};

const UNREADABLE: ServiceError = { code: 'SerializationException', message: 'the request cannot be read' };
