import { type EpochMs, toIso } from '../../core/time.ts';
import type { BuildSample, ProviderSamples, SampleEvent } from './sample.ts';

const record = ({ id, type }: SampleEvent) => ({
  RecordType: type,
  MessageID: id,
  ServerID: 23,
  MessageStream: 'outbound',
  Tag: 'receipt',
  Metadata: { cart: 'cart-sample' },
});

const RECIPIENT = 'lighthouse@harbour-tools.example';

const delivery: BuildSample = (event) => ({
  ...record(event),
  Recipient: RECIPIENT,
  DeliveredAt: toSecond(event.now),
  Details: 'sample delivery',
});

const bounce =
  (Type: string, TypeCode: number, Name: string): BuildSample =>
  (event) => ({
    ...record(event),
    ID: 692_560_173,
    Type,
    TypeCode,
    Name,
    Email: RECIPIENT,
    From: 'tides@harbour-tools.example',
    BouncedAt: toSecond(event.now),
    DumpAvailable: false,
    Inactive: true,
    CanActivate: TypeCode === HARD_BOUNCE,
    Subject: 'Your receipt',
  });

const HARD_BOUNCE = 1;
const SPAM_COMPLAINT = 100_001;

/** Opens and clicks. */
const reading =
  (particulars: Readonly<Record<string, unknown>>): BuildSample =>
  (event) => ({
    ...record(event),
    Recipient: RECIPIENT,
    ReceivedAt: toSecond(event.now),
    Platform: 'Desktop',
    UserAgent: 'sample',
    ...particulars,
  });

const subscriptionChange: BuildSample = (event) => ({
  ...record(event),
  Recipient: RECIPIENT,
  ChangedAt: toSecond(event.now),
  Origin: 'Recipient',
  SuppressSending: true,
  SuppressionReason: 'ManualSuppression',
});

/** Inbound mail says no `RecordType`, so the body names it. */
const inbound: BuildSample = ({ id, now }) => ({
  FromName: 'Wren K.',
  From: 'wren@harbour-tools.example',
  FromFull: { Email: 'wren@harbour-tools.example', Name: 'Wren K.', MailboxHash: '' },
  To: 'sample@inbound.example',
  ToFull: [{ Email: 'sample@inbound.example', Name: '', MailboxHash: '' }],
  MessageStream: 'inbound',
  MessageID: id,
  Subject: 'Is it high water?',
  Date: new Date(now).toUTCString(),
  TextBody: 'At noon?',
  HtmlBody: '',
  Headers: [],
  Attachments: [],
});

/** As Postmark writes times, without milliseconds. */
const toSecond = (now: EpochMs): string => toIso(now).replace(/\.\d+Z$/, 'Z');

export const POSTMARK_SAMPLES: ProviderSamples = {
  types: {
    Delivery: delivery,
    Bounce: bounce('HardBounce', HARD_BOUNCE, 'Hard bounce'),
    SpamComplaint: bounce('SpamComplaint', SPAM_COMPLAINT, 'Spam complaint'),
    Open: reading({ FirstOpen: true }),
    Click: reading({ ClickLocation: 'HTML', OriginalLink: 'https://harbour-tools.example/tides' }),
    SubscriptionChange: subscriptionChange,
    Inbound: inbound,
  },
  generic: delivery,
  newId: (uuid) => uuid,
};
