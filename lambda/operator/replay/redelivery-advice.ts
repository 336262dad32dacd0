import type { Source } from '../../authoring/define-sources.ts';

/**
 * How to make the provider send an event again.
 *
 * @param source Absent for a message of the outbox queue.
 */
export function redeliveryAdvice(source: Source | undefined, eventId: string): string {
  if (source === undefined) return 'put its message back with oncehook dlq redrive --queue outbox, or dispatch it anew';
  switch (source.provider.name) {
    // https://docs.stripe.com/webhooks/process-undelivered-events, https://docs.stripe.com/cli/events/resend
    case 'stripe':
      return (
        `stripe events resend ${eventId} --webhook-endpoint=we_…, or in the Dashboard: Developers, Events, the event, ` +
        'Resend. Resends end after 15 days (Dashboard) and 30 days (CLI)'
      );
    // https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks
    case 'github':
      return (
        'on GitHub: Settings, Webhooks, the webhook, Recent Deliveries, the delivery with this GUID, Redeliver. ' +
        'GitHub keeps deliveries for 3 days'
      );
    // https://www.standardwebhooks.com/
    case 'standard-webhooks':
      return `ask the sender of ${source.name} to send it again under the same webhook-id; most have a button Resend`;
    default:
      return `ask the provider of ${source.name} to send it again under the same id`;
  }
}
