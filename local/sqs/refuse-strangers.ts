import type { buildApp } from 'fauxqs';
import { accessKeyOf } from '../gateway/credential.ts';
import { xmlError } from '../gateway/xml-error.ts';

/**
 * Has the server answer only who signs with our access key, because other users of this machine can reach
 * the port as well.
 */
export function refuseStrangers(app: ReturnType<typeof buildApp>, accessKeyId: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (accessKeyOf(request.headers.authorization ?? '') === accessKeyId) return;
    if (request.headers['x-amz-target'] === undefined) {
      const body = xmlError('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.');
      await reply.code(403).type('application/xml').send(body);
    } else {
      await reply.code(403).type('application/x-amz-json-1.0').send(STRANGER);
    }
  });
}

const STRANGER = {
  __type: 'com.amazon.coral.service#UnrecognizedClientException',
  message: 'The security token included in the request is invalid.',
};
