import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Tags } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { INBOX, OUTBOX, SEQUENCES } from '../../lambda/contract.ts';
import { aStack } from './a-stack.ts';
import { type Resource, resourcesOf, resourcesOfType, table } from './template.ts';

const STAGES = ['dev', 'prod'] as const;
const STATEFUL = ['AWS::DynamoDB::GlobalTable', 'AWS::SecretsManager::Secret', 'AWS::SQS::Queue', 'AWS::S3::Bucket'];
const tablesOf = (template: Template) => Object.entries(resourcesOfType(template, 'AWS::DynamoDB::GlobalTable'));

const template = aStack().template;

describe('the inbox', () => {
  it('forgets by the attribute that the code writes (TTL-04)', () => {
    expect(table(template, 'Inbox').Properties.TimeToLiveSpecification).toEqual({
      AttributeName: INBOX.ttlAttribute,
      Enabled: true,
    });
  });

  it('is found by its key, and what needs attention by a sparse index of keys', () => {
    const { KeySchema, GlobalSecondaryIndexes } = table(template, 'Inbox').Properties;

    expect(KeySchema).toEqual([{ AttributeName: INBOX.partitionKey, KeyType: 'HASH' }]);
    expect(GlobalSecondaryIndexes).toEqual([
      {
        IndexName: INBOX.attentionIndex,
        KeySchema: [{ AttributeName: INBOX.attentionAttribute, KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ]);
  });
});

describe('the outbox', () => {
  it('streams the new image of a row', () => {
    expect(table(template, 'Outbox').Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_IMAGE' });
  });

  it('never forgets what is owed, and has no index', () => {
    const { KeySchema, TimeToLiveSpecification, GlobalSecondaryIndexes } = table(template, 'Outbox').Properties;

    expect(KeySchema).toEqual([{ AttributeName: OUTBOX.partitionKey, KeyType: 'HASH' }]);
    expect([TimeToLiveSpecification, GlobalSecondaryIndexes]).toEqual([undefined, undefined]);
  });
});

describe('the sequences', () => {
  it('are never forgotten', () => {
    const { KeySchema, TimeToLiveSpecification } = table(template, 'Sequences').Properties;

    expect(KeySchema).toEqual([{ AttributeName: SEQUENCES.partitionKey, KeyType: 'HASH' }]);
    expect(TimeToLiveSpecification).toBeUndefined();
  });
});

describe.each(STAGES)('every table of %s', (stage) => {
  const tables = tablesOf(aStack({ context: { stage } }).template);

  it.each(tables)('%s is in one Region, because conditions are checked per Region', (_id, { Properties }) => {
    expect(Properties.Replicas).toHaveLength(1);
    expect(Properties.Replicas[0].Region).toEqual({ Ref: 'AWS::Region' });
  });

  it.each(tables)('%s is paid by request and can be restored to a point in time', (_id, { Properties }) => {
    expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(Properties.Replicas[0].PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  });

  it.each(tables)('%s has a key that AWS owns', (_id, { Properties }) => {
    expect(Properties.SSESpecification).toEqual({ SSEEnabled: false });
  });
});

describe('a stack that is deleted (CDK-02)', () => {
  const policies = ({ DeletionPolicy, UpdateReplacePolicy }: Resource) => [DeletionPolicy, UpdateReplacePolicy];

  it('keeps its tables in prod, and DynamoDB refuses to delete them', () => {
    const tables = tablesOf(aStack({ context: { stage: 'prod' } }).template);

    expect(tables.map(([, found]) => policies(found))).toEqual(tables.map(() => ['Retain', 'Retain']));
    expect(tables.map(([, found]) => found.Properties.Replicas[0].DeletionProtectionEnabled)).toEqual(
      tables.map(() => true),
    );
  });

  it('takes its tables along in dev', () => {
    const tables = tablesOf(aStack({ context: { stage: 'dev' } }).template);

    expect(tables.map(([, found]) => policies(found))).toEqual(tables.map(() => ['Delete', 'Delete']));
    expect(tables.map(([, found]) => found.Properties.Replicas[0].DeletionProtectionEnabled)).toEqual(
      tables.map(() => false),
    );
  });
});

describe('an upgrade (CDK-01)', () => {
  const statefulOf = (built: Template) =>
    Object.fromEntries(
      Object.entries(resourcesOf(built))
        .filter(([, { Type }]) => STATEFUL.includes(Type))
        .map(([id, { Type, Properties }]) => [
          id,
          {
            Type,
            KeySchema: Properties.KeySchema,
            AttributeDefinitions: Properties.AttributeDefinitions,
            GlobalSecondaryIndexes: Properties.GlobalSecondaryIndexes,
            FifoQueue: Properties.FifoQueue,
            Name: Properties.TableName ?? Properties.Name ?? Properties.QueueName ?? Properties.BucketName,
          },
        ]),
    );

  it.each(STAGES)(
    'of %s never replaces a table, a queue, the bucket or the secret: logical ids, key schemas and names are pinned',
    (stage) => {
      const golden = JSON.parse(
        readFileSync(resolve(import.meta.dirname, '../golden/stack/stateful-resources.json'), 'utf8'),
      );

      expect(JSON.parse(JSON.stringify(statefulOf(aStack({ context: { stage } }).template)))).toEqual(golden[stage]);
    },
  );

  it('with a tag and other settings leaves them where they are', () => {
    const { stack } = aStack({ context: { receiveMemoryMb: 1024, dedupWindowDays: 30, logRetentionDays: 90 } });
    Tags.of(stack).add('team', 'payments');

    expect(statefulOf(Template.fromStack(stack))).toEqual(statefulOf(template));
  });
});

describe("the user's tables", () => {
  it('are created with the keys that were declared', () => {
    const built = aStack({
      tables: {
        ledger: { partitionKey: 'account', sortKey: { name: 'entry', type: 'N' } },
        blobs: { partitionKey: { name: 'hash', type: 'B' } },
      },
    }).template;

    expect(table(built, 'Tablesledger').Properties).toMatchObject({
      KeySchema: [
        { AttributeName: 'account', KeyType: 'HASH' },
        { AttributeName: 'entry', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'account', AttributeType: 'S' },
        { AttributeName: 'entry', AttributeType: 'N' },
      ],
    });
    expect(table(built, 'Tablesblobs').Properties.AttributeDefinitions).toEqual([
      { AttributeName: 'hash', AttributeType: 'B' },
    ]);
  });

  it('that exist already are used by their name and not created', () => {
    const built = aStack({ tables: { accounts: { import: 'legacy-accounts' } } }).template;

    expect(tablesOf(built)).toHaveLength(3);
    built.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { ONCEHOOK_TABLE_accounts: 'legacy-accounts' } },
    });
  });

  it('may have the name of one of ours', () => {
    expect(() => aStack({ tables: { Inbox: { partitionKey: 'a' }, inbox: { import: 'b' } } })).toThrow(
      /TableNameInbox/,
    );
    expect(tablesOf(aStack({ tables: { Inbox: { partitionKey: 'a' } } }).template)).toHaveLength(4);
  });
});

describe('a customer key', () => {
  const customerKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0d990263-018e-4e65-a703-eff731de951e';

  it("encrypts every table that the stack creates, in the key's Region", () => {
    for (const [, { Properties }] of tablesOf(aStack({ context: { customerKeyArn } }).template)) {
      expect(Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
      expect(Properties.Replicas).toMatchObject([
        { Region: 'eu-central-1', SSESpecification: { KMSMasterKeyId: customerKeyArn } },
      ]);
    }
  });
});
