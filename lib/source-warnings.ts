import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Sources } from './declarations.ts';
import type { Stage } from './known-settings.ts';
import { hasWholeSeconds } from './whole-seconds.ts';

/** Warns of what a source is allowed to declare and should not without meaning it. */
export function warnOfSources(scope: Construct, sources: Sources, stage: Stage): void {
  for (const { name, provider, onFailure, rules } of sources.values()) {
    if (onFailure === 'ask-provider') {
      Annotations.of(scope).addWarningV2(
        `oncehook:ask-provider:${name}`,
        `Source "${name}": with onFailure 'ask-provider' an event whose handler fails is in no queue of yours. That it ` +
          `is not lost is then a promise of ${provider.name}, for as long as it sends again.`,
      );
    }
    if (stage === 'prod' && provider.testMode === true) {
      Annotations.of(scope).addWarningV2(
        `oncehook:test-mode:${name}`,
        `Source "${name}" takes events of ${provider.name}'s test mode alone and answers 400 to live ones. Say ` +
          `${provider.name}({ mode: 'live' }) where it goes live.`,
      );
    }
    for (const [type, { order }] of rules) {
      if (order === undefined || order.tie === 'apply' || !hasWholeSeconds(order.sequence, provider)) continue;
      Annotations.of(scope).addWarningV2(
        `oncehook:tie:${name}:${type}`,
        `Source "${name}", event type "${type}": the sequence looks like a time in whole seconds. Of two changes within ` +
          "one second the later one is dropped; with tie: 'apply' both are applied.",
      );
    }
  }
}
