import type { LocalState } from '../local-state.ts';
import { Refusal } from '../refusal.ts';

/** What a deployment's parts are called. */
export interface Resources {
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly inboxTable: string;
  readonly outboxTable: string;
  readonly sequencesTable: string;
  /** Name or ARN of the secret with the signing secrets. */
  readonly signingSecretId: string;
  readonly eventsQueueUrl: string;
  readonly eventsDlqUrl: string;
  readonly outboxQueueUrl: string;
  readonly outboxDlqUrl: string;
  /** Absent without the deliverer, as its DLQ. */
  readonly deliveriesQueueUrl?: string;
  readonly deliveriesDlqUrl?: string;
}

/** The stack's output for each part; their ids are a contract with `lib/outputs.ts`. */
export const OUTPUTS: Readonly<Record<keyof Resources, string>> = {
  apiUrl: 'ApiUrl',
  inboxTable: 'InboxTableName',
  outboxTable: 'OutboxTableName',
  sequencesTable: 'SequencesTableName',
  signingSecretId: 'SigningSecretName',
  eventsQueueUrl: 'EventsQueueUrl',
  eventsDlqUrl: 'EventsDlqUrl',
  outboxQueueUrl: 'OutboxQueueUrl',
  outboxDlqUrl: 'OutboxDlqUrl',
  deliveriesQueueUrl: 'DeliveriesQueueUrl',
  deliveriesDlqUrl: 'DeliveriesDlqUrl',
};

/** @throws Refusal when the stack is none of Oncehook's, or one of an older version. */
export function resourcesOfStack(stack: string, outputs: Readonly<Record<string, string>>): Resources {
  return read(
    (part) => outputs[OUTPUTS[part]],
    (part) => {
      throw new Refusal(`stack ${stack} has no output ${OUTPUTS[part]}: it is none of Oncehook's, or needs a deploy`);
    },
  );
}

/** @throws Refusal when the running one does not say what a part is called. */
export function resourcesOfLocal(state: LocalState): Resources {
  const parts: Readonly<Record<keyof Resources, string | undefined>> = {
    apiUrl: state.apiUrl,
    inboxTable: state.tables['inbox'],
    outboxTable: state.tables['outbox'],
    sequencesTable: state.tables['sequences'],
    signingSecretId: state.signingSecretId,
    eventsQueueUrl: state.queues['events'],
    eventsDlqUrl: state.queues['eventsDlq'],
    outboxQueueUrl: state.queues['outbox'],
    outboxDlqUrl: state.queues['outboxDlq'],
    deliveriesQueueUrl: state.queues['deliveries'],
    deliveriesDlqUrl: state.queues['deliveriesDlq'],
  };
  return read(
    (part) => parts[part],
    () => {
      throw new Refusal(
        '.oncehook/local.json does not say all that is needed: end local AWS and start it with npm start',
      );
    },
  );
}

type Part = keyof Resources;

function read(find: (part: Part) => string | undefined, refuse: (part: Part) => never): Resources {
  const part = (name: Part): string => find(name) ?? refuse(name);
  const [deliveriesQueueUrl, deliveriesDlqUrl] = [find('deliveriesQueueUrl'), find('deliveriesDlqUrl')];
  return {
    apiUrl: part('apiUrl').replace(/\/+$/, ''),
    inboxTable: part('inboxTable'),
    outboxTable: part('outboxTable'),
    sequencesTable: part('sequencesTable'),
    signingSecretId: part('signingSecretId'),
    eventsQueueUrl: part('eventsQueueUrl'),
    eventsDlqUrl: part('eventsDlqUrl'),
    outboxQueueUrl: part('outboxQueueUrl'),
    outboxDlqUrl: part('outboxDlqUrl'),
    ...(deliveriesQueueUrl === undefined ? {} : { deliveriesQueueUrl }),
    ...(deliveriesDlqUrl === undefined ? {} : { deliveriesDlqUrl }),
  };
}
