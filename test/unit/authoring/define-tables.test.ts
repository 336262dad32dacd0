import { afterEach, describe, expect, it } from 'vitest';
import { defineTables, describeTables, tableKeys } from '../../../lambda/authoring/define-tables.ts';

afterEach(() => {
  delete process.env['ONCEHOOK_TABLE_accounts'];
  delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
});

describe('a table', () => {
  it('has the name that the stack gave it, looked up when it is used', () => {
    const tables = defineTables({ accounts: { partitionKey: 'accountId' } });
    process.env['ONCEHOOK_TABLE_accounts'] = 'Stack-Accounts-1';

    expect(tables.accounts).toBe('Stack-Accounts-1');
  });

  it('has its key for a name in tests of a handler', () => {
    expect(defineTables({ accounts: { partitionKey: 'accountId' } }).accounts).toBe('accounts');
  });

  it('without a name is an error in Lambda', () => {
    process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'receive';

    expect(() => defineTables({ accounts: { partitionKey: 'accountId' } }).accounts).toThrow(
      /ONCEHOOK_TABLE_accounts is not set/,
    );
  });

  it('can be described by the stack', () => {
    const tables = defineTables({ accounts: { partitionKey: 'accountId' }, old: { import: 'existing' } });

    expect(describeTables(tables)).toEqual({ accounts: { partitionKey: 'accountId' }, old: { import: 'existing' } });
    expect(() => describeTables({})).toThrow(/defineTables/);
  });

  it('tells its key attributes by its name', () => {
    const keysOf = tableKeys(
      defineTables({ pairs: { partitionKey: 'one', sortKey: { name: 'two', type: 'N' } }, old: { import: 'x' } }),
    );

    expect([keysOf('pairs'), keysOf('old'), keysOf('other')]).toEqual([['one', 'two'], undefined, undefined]);
  });

  it.each<[string, object, RegExp]>([
    ['a key with a hyphen', { 'a-b': { partitionKey: 'id' } }, /a key is a letter/],
    ['a key of 41 characters', { ['a'.repeat(41)]: { partitionKey: 'id' } }, /a key is a letter/],
    ['no partition key', { a: { partitionKey: '' } }, /partitionKey needs an attribute name/],
    ['an empty import', { a: { import: '' } }, /import needs the name/],
    ['an option nobody knows', { a: { partitionKey: 'id', ttl: 'x' } }, /unknown option ttl; known are/],
    ['no actions', { a: { partitionKey: 'id', actions: [] } }, /actions is empty/],
  ])('is refused with %s', (_case, definition, message) => {
    expect(() => defineTables(definition as never)).toThrow(message);
  });
});
