import { defineTables } from '../oncehook.ts';

/** The tables of the example: one account a customer, repository or merchant. */
export const tables = defineTables({
  accounts: { partitionKey: 'accountId', actions: ['UpdateItem'] },
});
