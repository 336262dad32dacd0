import { OncehookError } from '../../core/errors.ts';
import type { BodyStore } from '../../core/event-ports.ts';
import type { S3Client } from './s3-client.ts';

/**
 * Bodies that are too large for a message, and those that many events share, in S3. The client is loaded when the first
 * one comes: many deployments never see one, and it would be the largest part of the bundle.
 *
 * @param requestTimeoutMs Less where somebody waits for an answer.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-managing-large-messages.html
 */
export function createBodyStore(bucket: string, requestTimeoutMs = 3000): BodyStore {
  let loading: Promise<{ readonly s3: typeof import('./s3-client.ts'); readonly client: S3Client }> | undefined;
  const load = () => {
    loading ??= import('./s3-client.ts').then((s3) => ({
      s3,
      client: new s3.S3Client({
        maxAttempts: 2,
        requestHandler: { connectionTimeout: 700, requestTimeout: requestTimeoutMs, throwOnRequestTimeout: true },
      }),
    }));
    return loading;
  };
  return {
    async put(key, bytes) {
      const { s3, client } = await load();
      try {
        await client.send(new s3.PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }));
      } catch (error) {
        throw unavailable('put', error);
      }
      return { bucket, key };
    },
    async get(at) {
      const { s3, client } = await load();
      try {
        const { Body: body } = await client.send(new s3.GetObjectCommand({ Bucket: at.bucket, Key: at.key }));
        return await body?.transformToByteArray();
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
        throw unavailable('get', error);
      }
    },
  };
}

const unavailable = (doing: string, error: unknown): OncehookError =>
  new OncehookError('QUEUE_UNAVAILABLE', `${doing} a body: ${error instanceof Error ? error.name : 'unknown'}`, {
    retryable: true,
    cause: error,
  });
