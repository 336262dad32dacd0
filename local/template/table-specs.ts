import type { CreateTableCommandInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { type Place, physicalId } from './physical-names.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import { listOf, recordOf, type Template } from './template.ts';

/** A table of the stack, ready to be created. */
export interface TableSpec {
  readonly logicalId: string;
  readonly name: string;
  readonly create: CreateTableCommandInput;
  readonly ttlAttribute: string | undefined;
  /** Whether it can be restored to a point in time, in AWS. */
  readonly isRecoverable: boolean;
}

/** The tables of the stack: keys, indexes, stream and TTL as the template has them, on demand. */
export function readTableSpecs(template: Template, resolver: Resolver, place: Place): readonly TableSpec[] {
  return resourcesOf(template, 'AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table').map((resource) => {
    const { logicalId, properties } = resource;
    const read = (property: string) => resolver.resolve(properties[property], `${logicalId}.${property}`);
    const name = physicalId(template, resource, place);
    const indexes = listOf(read('GlobalSecondaryIndexes')).map(recordOf);
    const stream = recordOf(read('StreamSpecification'))['StreamViewType'];
    const ttl = recordOf(read('TimeToLiveSpecification'));
    // A global table says it of each replica; here there is the first alone.
    const { PointInTimeRecoverySpecification: recovery } = {
      PointInTimeRecoverySpecification: read('PointInTimeRecoverySpecification'),
      ...recordOf(listOf(read('Replicas'))[0]),
    };
    return {
      logicalId,
      name,
      ttlAttribute: ttl['Enabled'] === true ? String(ttl['AttributeName']) : undefined,
      isRecoverable: recordOf(recovery)['PointInTimeRecoveryEnabled'] === true,
      create: {
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: listOf(read('AttributeDefinitions'))
          .map(recordOf)
          .map((definition) => ({
            AttributeName: String(definition['AttributeName']),
            AttributeType: attributeType(definition['AttributeType']),
          })),
        KeySchema: keySchema(read('KeySchema')),
        ...(indexes.length > 0 && {
          GlobalSecondaryIndexes: indexes.map((index) => ({
            IndexName: String(index['IndexName']),
            KeySchema: keySchema(index['KeySchema']),
            Projection: projection(recordOf(index['Projection'])),
          })),
        }),
        ...(stream !== undefined && {
          StreamSpecification: { StreamEnabled: true, StreamViewType: streamViewType(stream) },
        }),
      },
    };
  });
}

const keySchema = (value: unknown): KeySchemaElement[] =>
  listOf(value)
    .map(recordOf)
    .map((element) => ({
      AttributeName: String(element['AttributeName']),
      KeyType: element['KeyType'] === 'RANGE' ? 'RANGE' : 'HASH',
    }));

function projection(value: Readonly<Record<string, unknown>>) {
  const attributes = listOf(value['NonKeyAttributes']).map(String);
  return {
    ProjectionType: oneOf(['ALL', 'KEYS_ONLY', 'INCLUDE'], value['ProjectionType']),
    ...(attributes.length > 0 && { NonKeyAttributes: attributes }),
  };
}

const attributeType = (value: unknown) => oneOf(['S', 'N', 'B'], value);

const streamViewType = (value: unknown) => oneOf(['NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY'], value);

function oneOf<const Values extends readonly string[]>(values: Values, value: unknown): Values[number] {
  const found = values.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`${JSON.stringify(value)} is none of ${values.join(', ')}`);
  return found;
}
