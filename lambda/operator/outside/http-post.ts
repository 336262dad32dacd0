import type { DurationMs } from '../../core/time.ts';
import type { Post } from '../ports.ts';

/** @param timeout For the whole answer, from the first byte sent to the last one received. */
export function createPost(timeout: DurationMs): Post {
  return async ({ url, headers, body }) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: Uint8Array.from(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      const text = await response.text();
      return { kind: 'answered', status: response.status, headers: Object.fromEntries(response.headers), text };
    } catch (error) {
      return { kind: 'unreachable', reason: `${new URL(url).host} ${reasonOf(error, timeout)}` };
    }
  };
}

/** Words that follow the host's name. */
function reasonOf(error: unknown, timeout: DurationMs): string {
  if (!(error instanceof Error)) return 'could not be reached';
  if (error.name === 'TimeoutError') return `did not answer within ${timeout / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
      return 'refuses the connection: nothing listens there';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'is no host that can be found';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'closed the connection without an answer';
    default:
      return `could not be reached: ${code === '' ? cause.message : code}`;
  }
}
