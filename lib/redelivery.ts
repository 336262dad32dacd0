import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Sources } from './declarations.ts';

/**
 * Warns about every source whose provider sends an event once and never again: until the stack has an
 * events queue, an event whose handler fails is nowhere but in that one delivery.
 */
export function warnOfLostFailures(scope: Construct, sources: Sources): void {
  for (const { name, provider } of sources.values()) {
    if (provider.redelivers) continue;
    Annotations.of(scope).addWarningV2(
      `oncehook:no-redelivery:${name}`,
      `Source "${name}": ${provider.name} never sends an event again by itself, so an event whose handler fails is lost ` +
        'unless somebody redelivers it by hand, until this stack has an events queue.',
    );
  }
}
