import type { AnyPreset } from '../../providers/preset.ts';
import { ADYEN_SAMPLES } from './adyen.ts';
import { BITBUCKET_SAMPLES } from './bitbucket.ts';
import { DROPBOX_SAMPLES } from './dropbox.ts';
import { GITHUB_SAMPLES } from './github.ts';
import { GITLAB_SAMPLES } from './gitlab.ts';
import { hmacSamples } from './hmac.ts';
import { HUBSPOT_SAMPLES } from './hubspot.ts';
import { INTERCOM_SAMPLES } from './intercom.ts';
import { LEMON_SQUEEZY_SAMPLES } from './lemon-squeezy.ts';
import { LINEAR_SAMPLES } from './linear.ts';
import { MAILGUN_SAMPLES } from './mailgun.ts';
import { META_SAMPLES } from './meta.ts';
import { MICROSOFT_GRAPH_SAMPLES } from './microsoft-graph.ts';
import { MUX_SAMPLES } from './mux.ts';
import { PADDLE_SAMPLES } from './paddle.ts';
import { POSTMARK_SAMPLES } from './postmark.ts';
import { RAZORPAY_SAMPLES } from './razorpay.ts';
import type { ProviderSamples } from './sample.ts';
import { SHOPIFY_SAMPLES } from './shopify.ts';
import { SLACK_SAMPLES } from './slack.ts';
import { SQUARE_SAMPLES } from './square.ts';
import { SSLCOMMERZ_SAMPLES } from './sslcommerz.ts';
import { STANDARD_WEBHOOKS_SAMPLES } from './standard-webhooks.ts';
import { STRIPE_SAMPLES } from './stripe.ts';
import { SVIX_SAMPLES } from './svix.ts';
import { TWILIO_SAMPLES } from './twilio.ts';
import { TWITCH_SAMPLES } from './twitch.ts';
import { ZENDESK_SAMPLES } from './zendesk.ts';
import { ZOOM_SAMPLES } from './zoom.ts';

/** The samples of a preset, chosen by its name; a preset without samples has an empty set. */
export function samplesOf(preset: AnyPreset): ProviderSamples {
  switch (preset.name) {
    case 'stripe':
      return STRIPE_SAMPLES;
    case 'github':
      return GITHUB_SAMPLES;
    case 'standard-webhooks':
      return STANDARD_WEBHOOKS_SAMPLES;
    case 'slack':
      return SLACK_SAMPLES;
    case 'zoom':
      return ZOOM_SAMPLES;
    case 'meta':
      return META_SAMPLES;
    case 'dropbox':
      return DROPBOX_SAMPLES;
    case 'twitch':
      return TWITCH_SAMPLES;
    case 'bitbucket':
      return BITBUCKET_SAMPLES;
    case 'square':
      return SQUARE_SAMPLES;
    case 'paddle':
      return PADDLE_SAMPLES;
    case 'linear':
      return LINEAR_SAMPLES;
    case 'zendesk':
      return ZENDESK_SAMPLES;
    case 'lemon-squeezy':
      return LEMON_SQUEEZY_SAMPLES;
    case 'razorpay':
      return RAZORPAY_SAMPLES;
    case 'intercom':
      return INTERCOM_SAMPLES;
    case 'mux':
      return MUX_SAMPLES;
    case 'mailgun':
      return MAILGUN_SAMPLES;
    case 'shopify':
      return SHOPIFY_SAMPLES;
    case 'svix':
      return SVIX_SAMPLES;
    case 'gitlab':
      return GITLAB_SAMPLES;
    case 'hubspot':
      return HUBSPOT_SAMPLES;
    case 'adyen':
      return ADYEN_SAMPLES;
    case 'microsoft-graph':
      return MICROSOFT_GRAPH_SAMPLES;
    case 'postmark':
      return POSTMARK_SAMPLES;
    case 'sslcommerz':
      return SSLCOMMERZ_SAMPLES;
    case 'twilio':
      return TWILIO_SAMPLES;
    case 'hmac':
      return hmacSamples(preset);
    default:
      return NO_SAMPLES;
  }
}

const NO_SAMPLES: ProviderSamples = { types: {}, newId: (uuid) => uuid };
