/**
 * The three calls that AWS's runtime client expects of its native half, over `node:http`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

interface Reply {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const [host, port] = (process.env['AWS_LAMBDA_RUNTIME_API'] ?? '').split(':');
const agent = new Agent({ keepAlive: true });

/** Resolves when everything posted so far has been taken; the native client blocks instead. */
let posted: Promise<unknown> = Promise.resolve();

/** Waits for the next invocation. Ends this process when the runtime API has gone. */
export async function next(): Promise<{ readonly bodyJson: string; readonly headers: IncomingHttpHeaders }> {
  await posted;
  const reply = await call('GET', '/2018-06-01/runtime/invocation/next').catch(endProcess);
  return { bodyJson: reply.body, headers: reply.headers };
}

export function done(requestId: string, body: string): void {
  post(`/2018-06-01/runtime/invocation/${requestId}/response`, body);
}

export function error(requestId: string, body: string, xrayCause: string): void {
  post(`/2018-06-01/runtime/invocation/${requestId}/error`, body, {
    'lambda-runtime-function-xray-error-cause': xrayCause,
  });
}

function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): void {
  posted = posted.then(() => call('POST', path, body, headers)).catch(endProcess);
}

function call(method: string, path: string, body = '', headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host, port, method, path, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const endProcess = (): never => process.exit(0);
