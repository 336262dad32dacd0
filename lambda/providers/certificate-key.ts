import { type KeyObject, X509Certificate } from 'node:crypto';
import type { EpochMs } from '../core/time.ts';

/** The RSA key of a certificate that is valid now; `undefined` for anything else. The first of a chain counts. */
export function certificateKey(pem: string, now: EpochMs): KeyObject | undefined {
  try {
    const certificate = new X509Certificate(pem);
    const isValid = Date.parse(certificate.validFrom) <= now && now <= Date.parse(certificate.validTo);
    return isValid && certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate.publicKey : undefined;
  } catch {
    return undefined;
  }
}
