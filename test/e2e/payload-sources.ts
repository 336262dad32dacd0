import { tables } from '../../lambda/handlers/tables.ts';
import {
  adyen,
  awsSns,
  defineSources,
  discord,
  dropbox,
  github,
  gitlab,
  type Handler,
  hubspot,
  lemonSqueezy,
  linear,
  mailgun,
  meta,
  microsoftGraph,
  paddle,
  paypal,
  plaid,
  postmark,
  razorpay,
  sendgrid,
  shopify,
  slack,
  square,
  sslcommerz,
  standardWebhooks,
  stripe,
  twilio,
  zoom,
} from '../../lambda/oncehook.ts';

/** Adds one to the event's own account, so that a second time would show. */
const count: Handler<never> = async (event, work) =>
  work.write({
    Update: {
      TableName: tables.accounts,
      Key: { accountId: `${event.source}#${event.id}` },
      UpdateExpression: 'ADD entries :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  });

/** The payloads on file were signed years ago, and longer ago than any window reaches back. */
const LONG_AGO = { toleranceSeconds: 50 * 365 * 86_400, olderThanWindow: 'process' } as const;

/** The hash of the verify token that {@link META_VERIFY_TOKEN} is. */
const META_VERIFY_TOKEN_SHA256 = '5e5fb828310d365a12789f7a875ae59a8b373f83d2a283c42ce1ed9946b49e79';

export const META_VERIFY_TOKEN = 'the verify token of the tests';

/** One source of every provider whose deliveries are on file, or can be made here. */
export const sources = defineSources({
  adyen: { provider: adyen(), on: { AUTHORISATION: count, CAPTURE: count }, ...LONG_AGO },
  discord: { provider: discord(), on: { APPLICATION_AUTHORIZED: count }, ...LONG_AGO },
  dropbox: { provider: dropbox(), on: { changes: count } },
  github: { provider: github(), on: { push: count, issues: count } },
  gitlab: { provider: gitlab(), on: { push: count }, ...LONG_AGO },
  hubspot: {
    provider: hubspot(),
    on: { 'contact.creation': count, 'contact.propertyChange': count },
    publicUrl: 'https://hooks.example/hubspot',
    ...LONG_AGO,
  },
  lemonsqueezy: { provider: lemonSqueezy(), on: { order_created: count }, ...LONG_AGO },
  linear: { provider: linear(), on: { Issue: count }, ...LONG_AGO },
  mailgun: { provider: mailgun(), on: { delivered: count }, ...LONG_AGO },
  meta: { provider: meta({ verifyTokenSha256: META_VERIFY_TOKEN_SHA256 }), on: { messages: count }, ...LONG_AGO },
  'microsoft-graph': { provider: microsoftGraph(), on: { updated: count } },
  paddle: { provider: paddle(), on: { 'subscription.updated': count }, ...LONG_AGO },
  paypal: { provider: paypal(), on: { 'PAYMENT.CAPTURE.COMPLETED': count } },
  plaid: { provider: plaid(), on: { 'ITEM.ERROR': count } },
  postmark: { provider: postmark(), on: { Delivery: count }, ...LONG_AGO },
  razorpay: { provider: razorpay(), on: { 'payment.captured': count }, ...LONG_AGO },
  sendgrid: {
    provider: sendgrid(),
    on: { processed: count, delivered: count, bounce: count, open: count },
    ...LONG_AGO,
  },
  shopify: { provider: shopify(), on: { 'orders/paid': count }, ...LONG_AGO },
  slack: { provider: slack(), on: { message: count, app_rate_limited: count }, ...LONG_AGO },
  'aws-sns': { provider: awsSns(), on: { Notification: count }, ...LONG_AGO },
  square: {
    provider: square(),
    on: { 'payment.updated': count },
    publicUrl: 'https://hooks.example/square',
    ...LONG_AGO,
  },
  sslcommerz: { provider: sslcommerz(), on: { VALID: count } },
  standard: { provider: standardWebhooks(), on: { 'order.shipped': count }, ...LONG_AGO },
  stripe: { provider: stripe(), on: { 'invoice.paid': count, 'customer.subscription.updated': count }, ...LONG_AGO },
  'stripe-twins': {
    provider: stripe(),
    on: { 'customer.subscription.updated': count },
    // What the subscription became is under both ids.
    id: ({ type, body }) => `${type}|${(body as { data: { object: { id: string } } }).data.object.id}`,
    ...LONG_AGO,
  },
  twilio: { provider: twilio(), on: { received: count }, publicUrl: 'https://hooks.example/twilio/sms' },
  zoom: { provider: zoom(), on: { 'meeting.ended': count }, ...LONG_AGO },
});
