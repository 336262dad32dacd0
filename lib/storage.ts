import {
  type Attribute,
  AttributeType,
  type ITable,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { INBOX, OUTBOX, SEQUENCES } from '../lambda/contract.ts';
import type { DeclaredTable, KeyAttribute, TableAction } from './declarations.ts';
import { durabilityOf } from './durability.ts';
import type { Settings } from './settings.ts';

export interface StorageProps {
  readonly settings: Settings;
  readonly tables: readonly DeclaredTable[];
}

/** One of the user's tables, created or imported. */
export interface UserTable {
  readonly key: string;
  readonly table: ITable;
  readonly actions: readonly TableAction[];
}

/**
 * The tables. Their names are CloudFormation's, so a replacement never meets a name in use. None has
 * a replica: a global table checks conditions per Region, and two Regions would each apply an event.
 */
export class Storage extends Construct {
  readonly inbox: ITable;
  readonly outbox: ITable;
  readonly outboxStreamArn: string;
  readonly sequences: ITable;
  readonly userTables: readonly UserTable[];
  /** The customer's key of the created tables, if there is one. */
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, props: StorageProps) {
    super(scope, id);
    const { settings } = props;
    const { removalPolicy, deletionProtection } = durabilityOf(settings.stage);
    const { customerKeyArn } = settings;
    this.key = customerKeyArn === undefined ? undefined : Key.fromKeyArn(this, 'CustomerKey', customerKeyArn);

    const everyTable = {
      removalPolicy,
      deletionProtection,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption:
        this.key === undefined ? TableEncryptionV2.dynamoOwnedKey() : TableEncryptionV2.customerManagedKey(this.key),
    } satisfies Partial<TablePropsV2>;

    this.inbox = new TableV2(this, 'Inbox', {
      ...everyTable,
      partitionKey: { name: INBOX.partitionKey, type: AttributeType.STRING },
      timeToLiveAttribute: INBOX.ttlAttribute,
      globalSecondaryIndexes: [
        {
          indexName: INBOX.attentionIndex,
          partitionKey: { name: INBOX.attentionAttribute, type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
    });
    // No TTL: a row of the outbox is owed, one of sequences is the memory of what was applied last.
    const outbox = new TableV2(this, 'Outbox', {
      ...everyTable,
      partitionKey: { name: OUTBOX.partitionKey, type: AttributeType.STRING },
      dynamoStream: StreamViewType.NEW_IMAGE,
    });
    if (outbox.tableStreamArn === undefined) throw new Error('the outbox was made without a stream');
    this.outbox = outbox;
    this.outboxStreamArn = outbox.tableStreamArn;
    this.sequences = new TableV2(this, 'Sequences', {
      ...everyTable,
      partitionKey: { name: SEQUENCES.partitionKey, type: AttributeType.STRING },
    });

    // A scope of their own: a table named `Inbox` cannot meet ours.
    const yours = new Construct(this, 'Tables');
    this.userTables = props.tables.map(({ key, actions, origin }) => ({
      key,
      actions,
      table:
        origin.kind === 'imported'
          ? TableV2.fromTableName(yours, key, origin.name)
          : new TableV2(yours, key, {
              ...everyTable,
              partitionKey: toAttribute(origin.partitionKey),
              ...(origin.sortKey === undefined ? {} : { sortKey: toAttribute(origin.sortKey) }),
            }),
    }));
  }
}

const ATTRIBUTE_TYPES = { S: AttributeType.STRING, N: AttributeType.NUMBER, B: AttributeType.BINARY } as const;

const toAttribute = (attribute: KeyAttribute): Attribute =>
  typeof attribute === 'string'
    ? { name: attribute, type: AttributeType.STRING }
    : { name: attribute.name, type: ATTRIBUTE_TYPES[attribute.type] };
