/** What to say of the messages that go with the queues at the end; nothing when there are none. */
export function sayLostMessages(counts: Readonly<Record<string, number>>): string | undefined {
  const queues = Object.entries(counts);
  if (queues.length === 0) return undefined;
  const total = queues.reduce((sum, [, count]) => sum + count, 0);
  const where = queues.map(([name, count]) => `${count} in ${name}`).join(', ');
  return `${total} ${total === 1 ? 'message is' : 'messages are'} gone with the queues, which are in memory: ${where}`;
}
