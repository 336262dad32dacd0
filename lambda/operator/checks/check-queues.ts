import type { Deployment } from '../deployment/deployment.ts';
import { type Finding, look, ok, warn } from './check.ts';

/** A message in a DLQ waits for a person, and not for ever. */
export async function checkDeadLetters(deployment: Pick<Deployment, 'queue'>): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    (['events', 'outbox'] as const).map((dlq) => {
      const check = `DLQ of the ${dlq} queue`;
      return look(check, async () => {
        const depth = await (await deployment.queue(`${dlq}Dlq`)).depth();
        return [
          depth === 0
            ? ok(check, 'empty')
            : warn(check, `about ${depth} in it: oncehook dlq list${dlq === 'events' ? '' : ' --queue outbox'}`),
        ];
      });
    }),
  );
  return findings.flat();
}
