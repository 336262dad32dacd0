import type { ProviderPreset } from '../../providers/preset.ts';
import { GITHUB_SAMPLES } from './github.ts';
import { hmacSamples } from './hmac.ts';
import type { ProviderSamples } from './sample.ts';
import { STANDARD_WEBHOOKS_SAMPLES } from './standard-webhooks.ts';
import { STRIPE_SAMPLES } from './stripe.ts';

/** The samples of a preset, chosen by its name; a preset without samples has an empty set. */
export function samplesOf(preset: ProviderPreset): ProviderSamples {
  switch (preset.name) {
    case 'stripe':
      return STRIPE_SAMPLES;
    case 'github':
      return GITHUB_SAMPLES;
    case 'standard-webhooks':
      return STANDARD_WEBHOOKS_SAMPLES;
    case 'hmac':
      return hmacSamples(preset);
    default:
      return NO_SAMPLES;
  }
}

const NO_SAMPLES: ProviderSamples = { types: {}, newId: (uuid) => uuid };
