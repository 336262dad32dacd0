import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { nameOf } from '../../../adapters/dynamodb/translate-error.ts';
import type { BodyStore } from '../../../core/event-ports.ts';
import { explaining } from './explain-error.ts';

/** Bodies that are too large for a message, in S3. */
export const createStoredBodies = (client: Pick<S3Client, 'send'>, isLocal: boolean): Pick<BodyStore, 'get'> => ({
  get: ({ bucket, key }) =>
    explaining({ service: 's3', action: 'GetObject', resource: `bucket ${bucket}`, isLocal }, async () => {
      try {
        const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return await body?.transformToByteArray();
      } catch (error) {
        if (nameOf(error) === 'NoSuchKey') return undefined;
        throw error;
      }
    }),
});
