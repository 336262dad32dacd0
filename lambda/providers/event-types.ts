/**
 * Event types of the providers, for completion in the editor. No list is complete, and none limits anything: every
 * other text is a type as well. Stripe's are names that its SDK has too (stripe 23.1.0); the others are recalled
 * and not confirmed, but for those that occur in the payloads on file.
 */

export type StripeEventType =
  | 'account.updated'
  | 'charge.dispute.created'
  | 'charge.failed'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'checkout.session.async_payment_failed'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'customer.created'
  | 'customer.deleted'
  | 'customer.subscription.created'
  | 'customer.subscription.deleted'
  | 'customer.subscription.paused'
  | 'customer.subscription.resumed'
  | 'customer.subscription.trial_will_end'
  | 'customer.subscription.updated'
  | 'customer.updated'
  | 'invoice.created'
  | 'invoice.finalized'
  | 'invoice.paid'
  | 'invoice.payment_action_required'
  | 'invoice.payment_failed'
  | 'invoice.upcoming'
  | 'invoice.updated'
  | 'invoice.voided'
  | 'payment_intent.canceled'
  | 'payment_intent.payment_failed'
  | 'payment_intent.processing'
  | 'payment_intent.succeeded'
  | 'payment_method.attached'
  | 'payout.failed'
  | 'payout.paid'
  | 'price.updated'
  | 'product.updated'
  | 'refund.created'
  | 'refund.failed'
  | 'setup_intent.succeeded';

export type GithubEventType =
  | 'check_run.completed'
  | 'check_suite.completed'
  | 'create'
  | 'delete'
  | 'deployment'
  | 'deployment_status'
  | 'fork'
  | 'installation.created'
  | 'installation.deleted'
  | 'issue_comment.created'
  | 'issues.closed'
  | 'issues.opened'
  | 'issues.reopened'
  | 'ping'
  | 'pull_request.closed'
  | 'pull_request.opened'
  | 'pull_request.reopened'
  | 'pull_request.synchronize'
  | 'pull_request_review.submitted'
  | 'push'
  | 'release.published'
  | 'repository.created'
  | 'star.created'
  | 'workflow_job.completed'
  | 'workflow_run.completed';

export type ShopifyEventType =
  | 'app/uninstalled'
  | 'carts/update'
  | 'checkouts/create'
  | 'checkouts/update'
  | 'collections/update'
  | 'customers/create'
  | 'customers/data_request'
  | 'customers/delete'
  | 'customers/redact'
  | 'customers/update'
  | 'fulfillments/create'
  | 'fulfillments/update'
  | 'inventory_levels/update'
  | 'orders/cancelled'
  | 'orders/create'
  | 'orders/delete'
  | 'orders/edited'
  | 'orders/fulfilled'
  | 'orders/paid'
  | 'orders/updated'
  | 'products/create'
  | 'products/delete'
  | 'products/update'
  | 'refunds/create'
  | 'shop/redact'
  | 'shop/update';

export type SlackEventType =
  | 'app_home_opened'
  | 'app_mention'
  | 'app_rate_limited'
  | 'app_uninstalled'
  | 'channel_archive'
  | 'channel_created'
  | 'channel_rename'
  | 'file_shared'
  | 'link_shared'
  | 'member_joined_channel'
  | 'member_left_channel'
  | 'message'
  | 'reaction_added'
  | 'reaction_removed'
  | 'team_join'
  | 'tokens_revoked'
  | 'user_change';

export type GitlabEventType =
  | 'build'
  | 'deployment'
  | 'emoji'
  | 'issue'
  | 'issue.close'
  | 'issue.open'
  | 'issue.update'
  | 'merge_request'
  | 'merge_request.approved'
  | 'merge_request.close'
  | 'merge_request.merge'
  | 'merge_request.open'
  | 'merge_request.update'
  | 'note'
  | 'pipeline'
  | 'push'
  | 'release'
  | 'tag_push'
  | 'wiki_page';

export type BitbucketEventType =
  | 'issue:created'
  | 'issue:updated'
  | 'pullrequest:approved'
  | 'pullrequest:comment_created'
  | 'pullrequest:created'
  | 'pullrequest:fulfilled'
  | 'pullrequest:rejected'
  | 'pullrequest:updated'
  | 'repo:commit_status_updated'
  | 'repo:fork'
  | 'repo:push';

export type SquareEventType =
  | 'booking.created'
  | 'catalog.version.updated'
  | 'customer.created'
  | 'customer.updated'
  | 'inventory.count.updated'
  | 'invoice.payment_made'
  | 'order.created'
  | 'order.updated'
  | 'payment.created'
  | 'payment.updated'
  | 'refund.created'
  | 'refund.updated'
  | 'subscription.updated';

export type PaddleEventType =
  | 'adjustment.created'
  | 'adjustment.updated'
  | 'customer.created'
  | 'customer.updated'
  | 'subscription.activated'
  | 'subscription.canceled'
  | 'subscription.created'
  | 'subscription.past_due'
  | 'subscription.paused'
  | 'subscription.resumed'
  | 'subscription.updated'
  | 'transaction.billed'
  | 'transaction.completed'
  | 'transaction.created'
  | 'transaction.paid'
  | 'transaction.payment_failed'
  | 'transaction.updated';

export type LinearEventType =
  | 'Comment.create'
  | 'Comment.update'
  | 'Cycle.update'
  | 'Issue'
  | 'Issue.create'
  | 'Issue.remove'
  | 'Issue.update'
  | 'IssueLabel.update'
  | 'Project.create'
  | 'Project.update';

export type HubspotEventType =
  | 'company.creation'
  | 'company.deletion'
  | 'company.propertyChange'
  | 'contact.creation'
  | 'contact.deletion'
  | 'contact.merge'
  | 'contact.privacyDeletion'
  | 'contact.propertyChange'
  | 'deal.creation'
  | 'deal.deletion'
  | 'deal.propertyChange'
  | 'ticket.creation'
  | 'ticket.propertyChange';

export type ZendeskEventType =
  | 'zen:event-type:ticket.comment_added'
  | 'zen:event-type:ticket.created'
  | 'zen:event-type:ticket.status_changed'
  | 'zen:event-type:user.created';

export type LemonSqueezyEventType =
  | 'license_key_created'
  | 'order_created'
  | 'order_refunded'
  | 'subscription_cancelled'
  | 'subscription_created'
  | 'subscription_expired'
  | 'subscription_payment_failed'
  | 'subscription_payment_success'
  | 'subscription_updated';

export type RazorpayEventType =
  | 'invoice.paid'
  | 'order.paid'
  | 'payment.authorized'
  | 'payment.captured'
  | 'payment.failed'
  | 'payment_link.paid'
  | 'refund.created'
  | 'refund.processed'
  | 'subscription.activated'
  | 'subscription.cancelled'
  | 'subscription.charged'
  | 'subscription.halted';

export type IntercomEventType =
  | 'contact.created'
  | 'contact.deleted'
  | 'contact.signed_up'
  | 'conversation.admin.closed'
  | 'conversation.admin.replied'
  | 'conversation.user.created'
  | 'conversation.user.replied'
  | 'user.created'
  | 'user.deleted';

export type ZoomEventType =
  | 'meeting.created'
  | 'meeting.deleted'
  | 'meeting.ended'
  | 'meeting.participant_joined'
  | 'meeting.participant_left'
  | 'meeting.started'
  | 'meeting.updated'
  | 'recording.completed'
  | 'recording.transcript_completed'
  | 'user.created';

export type MetaEventType =
  | 'account_update'
  | 'message_template_status_update'
  | 'messages'
  | 'messages.button'
  | 'messages.delivered'
  | 'messages.failed'
  | 'messages.image'
  | 'messages.interactive'
  | 'messages.read'
  | 'messages.sent'
  | 'messages.text'
  | 'phone_number_quality_update';

export type MailgunEventType =
  | 'accepted'
  | 'clicked'
  | 'complained'
  | 'delivered'
  | 'failed'
  | 'opened'
  | 'unsubscribed';

export type DiscordEventType =
  | 'APPLICATION_AUTHORIZED'
  | 'APPLICATION_DEAUTHORIZED'
  | 'ENTITLEMENT_CREATE'
  | 'QUEST_USER_ENROLLMENT';

export type SendgridEventType =
  | 'bounce'
  | 'click'
  | 'deferred'
  | 'delivered'
  | 'dropped'
  | 'group_resubscribe'
  | 'group_unsubscribe'
  | 'open'
  | 'processed'
  | 'spamreport'
  | 'unsubscribe';

export type TwitchEventType =
  | 'channel.ban'
  | 'channel.channel_points_custom_reward_redemption.add'
  | 'channel.cheer'
  | 'channel.follow'
  | 'channel.raid'
  | 'channel.subscribe'
  | 'channel.subscription.gift'
  | 'channel.subscription.message'
  | 'channel.update'
  | 'stream.offline'
  | 'stream.online'
  | 'user.update';

export type DropboxEventType = 'changes';

export type MuxEventType =
  | 'video.asset.created'
  | 'video.asset.deleted'
  | 'video.asset.errored'
  | 'video.asset.ready'
  | 'video.live_stream.active'
  | 'video.live_stream.disconnected'
  | 'video.live_stream.idle'
  | 'video.upload.asset_created'
  | 'video.upload.cancelled'
  | 'video.upload.errored';
