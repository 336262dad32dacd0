/**
 * Everything a handler author needs, from one module.
 */
export { defineSources } from './authoring/define-sources.ts';
export { defineTables } from './authoring/define-tables.ts';
export {
  type ConsumedMessage,
  type Consumer,
  type ConsumerWork,
  type MessageHandler,
  onceConsumer,
} from './authoring/once-consumer.ts';
export type {
  EventRule,
  Handler,
  HandlerResult,
  JsonValue,
  OrderRule,
  TransactWriteItem,
  WebhookEvent,
  Work,
} from './core/handler.ts';
export { Permanent, RetryLater } from './core/handler-errors.ts';
export { adyen } from './providers/adyen.ts';
export { awsSns } from './providers/aws-sns.ts';
export { bitbucket } from './providers/bitbucket.ts';
export { discord } from './providers/discord.ts';
export { dropbox } from './providers/dropbox.ts';
export { github } from './providers/github.ts';
export { gitlab } from './providers/gitlab.ts';
export { hmac } from './providers/hmac.ts';
export { hubspot } from './providers/hubspot.ts';
export { intercom } from './providers/intercom.ts';
export { lemonSqueezy } from './providers/lemon-squeezy.ts';
export { linear } from './providers/linear.ts';
export { mailgun } from './providers/mailgun.ts';
export { meta } from './providers/meta.ts';
export { microsoftGraph } from './providers/microsoft-graph.ts';
export { mux } from './providers/mux.ts';
export { paddle } from './providers/paddle.ts';
export { paypal } from './providers/paypal.ts';
export { plaid } from './providers/plaid.ts';
export { postmark } from './providers/postmark.ts';
export { razorpay } from './providers/razorpay.ts';
export { sendgrid } from './providers/sendgrid.ts';
export { shopify } from './providers/shopify.ts';
export { slack } from './providers/slack.ts';
export { square } from './providers/square.ts';
export { sslcommerz } from './providers/sslcommerz.ts';
export { standardWebhooks } from './providers/standard-webhooks.ts';
export { standardWebhooksV1a } from './providers/standard-webhooks-v1a.ts';
export { stripe } from './providers/stripe.ts';
export { svix } from './providers/svix.ts';
export { twilio } from './providers/twilio.ts';
export { twitch } from './providers/twitch.ts';
export { zendesk } from './providers/zendesk.ts';
export { zoom } from './providers/zoom.ts';
