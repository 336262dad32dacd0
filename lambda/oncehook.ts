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
export { github } from './providers/github.ts';
export { hmac } from './providers/hmac.ts';
export { standardWebhooks } from './providers/standard-webhooks.ts';
export { stripe } from './providers/stripe.ts';
