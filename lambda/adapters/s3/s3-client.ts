/** The part of the S3 client that is used: a file of its own beside each bundle, loaded on demand. */
export { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
