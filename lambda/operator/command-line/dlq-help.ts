export const HELP = `
Examples:
  npx oncehook dlq list
  npx oncehook dlq show evt_1PqZ --stack Oncehook-prod
  npx oncehook dlq redrive --id evt_1PqZ
  npx oncehook dlq discard --id evt_1PqZ --reason 'test data'`;

const LOOKING = `
To look at a message of SQS is to receive it: for as long as this takes it is hidden from others, then it is
visible again.`;

export const LIST_HELP = `${LOOKING}
The reason "receives" means that SQS moved it there, after too many receives.

Exit codes:
  0  done
  1  refused
  2  interrupted: some messages were not looked at

Examples:
  npx oncehook dlq list
  npx oncehook dlq list --queue outbox --stack Oncehook-prod --json`;

export const SHOW_HELP = `${LOOKING}

Exit codes:
  0  done
  1  refused, or there is no such message

Examples:
  npx oncehook dlq show evt_1PqZ
  npx oncehook dlq show 'stripe#evt_1PqZ' --body --output body.json --stack Oncehook-prod
  npx oncehook dlq show 'stripe#evt_1PqZ#1' --queue outbox --json`;

export const REDRIVE_HELP = `
Nothing is applied from here: an event goes through the events queue and the inbox, so one that was applied
meanwhile is a no-op. What nobody can read is left, and what may be older than the dedup window too, unless
--process-expired. Each event is redriven once a run. Ctrl-C ends it between messages.

Exit codes:
  0  done
  1  refused, or there is no such message
  2  some messages were left in the DLQ

Examples:
  npx oncehook dlq redrive --id evt_1PqZ
  npx oncehook dlq redrive --all --max 100 --stack Oncehook-prod
  npx oncehook dlq redrive --queue deliveries --all --json`;

export const DISCARD_HELP = `
The row of a parked event stays in the inbox.

Exit codes:
  0  done
  1  refused, or there is no such message; nothing was deleted unless the message says so
  2  interrupted: some messages were left in the DLQ

Examples:
  npx oncehook dlq discard --id evt_1PqZ --reason 'test data'
  npx oncehook dlq discard --queue outbox --all --reason 'consumer is gone' --stack Oncehook-prod --yes`;
