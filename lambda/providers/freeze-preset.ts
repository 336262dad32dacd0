import type { CodeScheme } from './code-scheme.ts';
import type { ProviderPreset } from './preset.ts';
import type { Scheme } from './scheme.ts';

/** Makes a preset unchangeable all the way down: every source that uses it shares it. */
export function freezePreset<AScheme extends Scheme | CodeScheme>(
  preset: ProviderPreset<AScheme>,
): ProviderPreset<AScheme> {
  freezeDeeply(preset);
  return preset;
}

function freezeDeeply(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freezeDeeply(inner);
}
