import type { DlqName } from '../dead-letters/read-dead-letter.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Finding, look, ok, warn } from './check.ts';

/** A message in a DLQ waits for a person, and not for ever. */
export async function checkDeadLetters(
  deployment: Pick<Deployment, 'hasDeliveries' | 'queue'>,
): Promise<readonly Finding[]> {
  const dlqs: readonly DlqName[] = ['events', 'outbox', ...(deployment.hasDeliveries ? ['deliveries' as const] : [])];
  const findings = await Promise.all(
    dlqs.map((dlq) => {
      const check = `DLQ of the ${dlq} queue`;
      return look(check, async () => {
        const depth = await (await deployment.queue(`${dlq}Dlq`)).depth();
        return [
          depth === 0
            ? ok(check, 'empty')
            : warn(check, `about ${depth} in it: oncehook dlq list${dlq === 'events' ? '' : ` --queue ${dlq}`}`),
        ];
      });
    }),
  );
  return findings.flat();
}
