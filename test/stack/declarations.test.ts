import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
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

    expect([...(await loadDeclarations(file)).sources.keys()]).toEqual(['elsewhere']);
  });

  it('are refused when that module exports no sources', async () => {
    const file = aModule('export const sources = {};\n');

    await expect(loadDeclarations(file)).rejects.toThrow(`${file} must export \`sources\`, made by defineSources(...)`);
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
