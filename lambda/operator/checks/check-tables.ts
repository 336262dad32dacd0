import { INBOX } from '../../contract.ts';
import type { Inspection, OwnTable } from '../deployment/inspection-port.ts';
import { type Finding, fail, look, ok, warn } from './check.ts';

const TABLES: readonly OwnTable[] = ['inbox', 'outbox', 'sequences'];

/** What the protocol demands of its tables, and what a restore does. */
export async function checkTables(inspection: Inspection): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    look('TTL of the inbox', () => checkTimeToLive(inspection)),
    ...TABLES.map((table) => look(`replicas of the ${table}`, () => checkReplicas(inspection, table))),
    // Not every DynamoDB that answers has backups: a local one does not.
    ...TABLES.map((table) => look(`backup of the ${table}`, () => checkBackup(inspection, table), warn)),
  ]);
  return findings.flat();
}

async function checkTimeToLive(inspection: Inspection): Promise<readonly Finding[]> {
  const check = 'TTL of the inbox';
  const { status, attribute } = await inspection.timeToLive();
  if (!/^ENABL(ED|ING)$/.test(status)) return [fail(check, `is ${status}: the inbox grows for ever`)];
  if (attribute !== INBOX.ttlAttribute) {
    return [fail(check, `is on ${attribute}, and must be on ${INBOX.ttlAttribute}`)];
  }
  return [ok(check, `on ${attribute}`)];
}

async function checkReplicas(inspection: Inspection, table: OwnTable): Promise<readonly Finding[]> {
  const check = `replicas of the ${table}`;
  const { replicaRegions } = await inspection.table(table);
  if (replicaRegions.length === 0) return [ok(check, 'none')];
  return [
    fail(check, `in ${replicaRegions.join(', ')}: conditions hold per Region, so two Regions apply one event twice`),
  ];
}

async function checkBackup(inspection: Inspection, table: OwnTable): Promise<readonly Finding[]> {
  const check = `backup of the ${table}`;
  return (await inspection.hasPointInTimeRecovery(table))
    ? [ok(check, 'point-in-time recovery is on')]
    : [warn(check, 'point-in-time recovery is off: what is deleted by mistake is gone')];
}
