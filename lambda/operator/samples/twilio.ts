import type { BuildSample, ProviderSamples } from './sample.ts';

const PARTIES = {
  AccountSid: 'AC00000000000000000000000000000001',
  From: '+15550002222',
  To: '+15550001111',
  ApiVersion: '2010-04-01',
};

const inbound: BuildSample = ({ id, type }) => ({
  ToCountry: 'US',
  SmsMessageSid: id,
  NumMedia: '0',
  SmsSid: id,
  SmsStatus: type,
  Body: 'Is it high water? ⚓ & when?',
  NumSegments: '1',
  MessageSid: id,
  ...PARTIES,
});

const message: BuildSample = ({ id, type }) => ({
  SmsSid: id,
  SmsStatus: type,
  MessageStatus: type,
  MessageSid: id,
  ...PARTIES,
});

const call: BuildSample = ({ id, type, now }) => ({
  CallSid: id,
  CallStatus: type,
  Direction: 'outbound-api',
  CallbackSource: 'call-progress-events',
  Timestamp: new Date(now).toUTCString(),
  SequenceNumber: '0',
  ...(type === 'completed' ? { CallDuration: '42' } : {}),
  ...PARTIES,
});

const CALLS = {
  initiated: call,
  ringing: call,
  'in-progress': call,
  completed: call,
  busy: call,
  'no-answer': call,
  canceled: call,
};

export const TWILIO_SAMPLES: ProviderSamples = {
  types: { received: inbound, sent: message, delivered: message, undelivered: message, failed: message, ...CALLS },
  generic: message,
  form: true,
  newId: (uuid, type) => `${Object.hasOwn(CALLS, type) ? 'CA' : 'SM'}${uuid.replaceAll('-', '')}`,
};
