import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consumer } from '../../lambda/handlers/consumer.ts';
import { sources } from '../../lambda/handlers/sources.ts';
import { tables } from '../../lambda/handlers/tables.ts';
import { declareTables, loadDeclarations } from '../../lib/declarations.ts';
import { aFolder } from './a-folder.ts';

const root = resolve(import.meta.dirname, '../..');

function aModule(text: string): string {
  const file = join(aFolder(), 'sources.ts');
  writeFileSync(file, text);
  return file;
}

describe('the declarations', () => {
  it('are those of lambda/handlers', async () => {
    const declared = await loadDeclarations();

    expect(declared.sources).toBe(sources);
    expect(declared.tables.map(({ key }) => key)).toEqual(Object.keys(tables));
  });

  it('have other sources when a module of them is named', async () => {
    const file = aModule(`import { defineSources, github } from ${JSON.stringify(join(root, 'lambda/oncehook.ts'))};
export const sources = defineSources({ elsewhere: { provider: github(), on: { push: async () => {} } } });
`);

    expect([...(await loadDeclarations({ sources: file })).sources.keys()]).toEqual(['elsewhere']);
  });

  it('are refused when that module exports no sources', async () => {
    const file = aModule('export const sources = {};\n');

    await expect(loadDeclarations({ sources: file })).rejects.toThrow(
      `${file} must export \`sources\`, made by defineSources(...)`,
    );
  });

  it('have a consumer, as lambda/handlers does', async () => {
    expect(consumer).toBeDefined();
    expect((await loadDeclarations()).consumer).toBe(true);
  });

  it('have none where the module says so', async () => {
    const file = aModule('export const consumer = undefined;\n');

    expect((await loadDeclarations({ consumer: file })).consumer).toBe(false);
  });

  it.each([
    ['an export of another name', 'export const consume = undefined;\n'],
    ['a bare function', 'export const consumer = async () => {};\n'],
    ['null', 'export const consumer = null;\n'],
  ])('are refused when the module of the consumer has %s', async (_what, text) => {
    const file = aModule(text);

    await expect(loadDeclarations({ consumer: file })).rejects.toThrow(
      `${file} must export \`consumer\`, made by onceConsumer(...), or undefined`,
    );
  });

  it('are refused when there is no module of the consumer', async () => {
    await expect(loadDeclarations({ consumer: 'nowhere/consumer.ts' })).rejects.toThrow(
      'there is no nowhere/consumer.ts, which should export `consumer`',
    );
  });

  it('of a table without actions have the default ones', () => {
    expect(declareTables({ orders: { partitionKey: 'id' } })).toEqual([
      {
        key: 'orders',
        actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'GetItem', 'Query'],
        origin: { kind: 'created', partitionKey: 'id', sortKey: undefined },
      },
    ]);
  });
});
