/**
 * The consumer of the proof run: the example's own, made to fail at the first attempt where the message's id asks
 * for it, after it has asked for its writes.
 */
import { consumer as example } from '../lambda/handlers/consumer.ts';
import { onceConsumer } from '../lambda/oncehook.ts';
import { hasFailingConsumer } from './failing-consumer.ts';

export const consumer = onceConsumer<{ readonly account: string }>(async (message, work) => {
  const result = await example.handle(message, work);
  if (hasFailingConsumer(message.id) && work.attempt === 1) throw new Error('the first attempt fails, as planned');
  return result;
});
