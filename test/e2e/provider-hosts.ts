import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Plugin } from 'esbuild';
import type { DocumentAnswer, DocumentRequest } from '../../lambda/core/document-ports.ts';
import { selfSigned } from '../support/self-signed.ts';

/** The hosts at which providers publish certificates and keys, played on this machine. */
export interface ProviderHosts {
  /** Lets the receiver connect here for those hosts; the list of hosts it may ask, TLS and all else are the real ones. */
  readonly plugin: Plugin;
  /** Every request, as its address. */
  readonly asked: readonly string[];
  /** `false` answers 503 to everybody. */
  isUp: boolean;
  close(): Promise<void>;
}

/** @param publish What is under an address. */
export async function startProviderHosts(
  names: readonly string[],
  publish: (request: DocumentRequest) => DocumentAnswer,
): Promise<ProviderHosts> {
  const [from, to] = [new Date(Date.now() - DAY), new Date(Date.now() + DAY)];
  const contexts = new Map<string, SecureContext>();
  const certificates: string[] = [];
  for (const name of names) {
    const { certificate, privateKey } = selfSigned(name, from, to);
    certificates.push(certificate);
    contexts.set(
      name,
      createSecureContext({ cert: certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) }),
    );
  }
  const asked: string[] = [];
  const server = createServer(
    { SNICallback: (name, answer) => answer(null, contexts.get(name)) },
    async (request, response) => {
      const url = `https://${request.headers.host}${request.url}`;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      asked.push(url);
      const json = Buffer.concat(chunks).toString();
      const answer = publish({ name: url, url, hosts: names, ...(json === '' ? {} : { json }) });
      response.statusCode = !hosts.isUp ? 503 : answer.kind === 'found' ? 200 : 404;
      response.end(answer.kind === 'found' ? answer.text : '');
    },
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const surroundings = {
    ca: certificates.join(''),
    connectTo: { host: '127.0.0.1', port },
    // As long as the machine may be busy with other tests.
    timeoutMs: 8000,
  };
  const hosts: ProviderHosts = {
    plugin: {
      name: 'provider-hosts',
      setup: ({ onLoad }) =>
        onLoad({ filter: new RegExp(`${RegExp.escape(ENTRY)}$`) }, async () => {
          const contents = await readFile(ENTRY, 'utf8');
          if (contents.split(EXCHANGE).length !== 2) throw new Error('the exchange is not where it was');
          const instead = `createHttpsExchange(${JSON.stringify(surroundings)})`;
          return { contents: contents.replace(EXCHANGE, () => instead), loader: 'ts' };
        }),
    },
    asked,
    isUp: true,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return hosts;
}

const DAY = 86_400_000;
const ENTRY = resolve(import.meta.dirname, '../../lambda/entry/receive.ts');
const EXCHANGE = 'createHttpsExchange()';
