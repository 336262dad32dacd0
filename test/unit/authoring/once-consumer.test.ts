import { expect, it } from 'vitest';
import { onceConsumer } from '../../../lambda/authoring/once-consumer.ts';

it.each([undefined, {}, { handle: async () => {} }])('a consumer that is no function is refused: %j', (handle) => {
  expect(() => onceConsumer(handle as never)).toThrow('takes a function of a message');
});
