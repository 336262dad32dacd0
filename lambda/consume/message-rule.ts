import type { ConsumerWork, MessageHandler } from '../authoring/once-consumer.ts';
import type { EventRule, Work } from '../core/handler.ts';
import { isRetryLater, RetryLater } from '../core/handler-errors.ts';
import type { MessageName } from '../core/message-ports.ts';
import { invalidWork } from '../process/writes.ts';

/**
 * Longest wait that is asked of SQS at once, in seconds: 12 hours, as long as it hides a message.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
const LONGEST_WAIT_SECONDS = 12 * 3600;

/** The rule of one message: its handler, as {@link EventRule}s are run. */
export const messageRule = <Payload>(handle: MessageHandler<Payload>, name: MessageName): EventRule<Payload> => ({
  async handle({ body }, work) {
    try {
      return await handle({ ...name, payload: body }, withoutEmit(work));
    } catch (error) {
      // Longer waits are asked for again. As they are, the first one would use up the day that all may take together.
      if (isRetryLater(error) && error.seconds > LONGEST_WAIT_SECONDS) {
        throw new RetryLater(LONGEST_WAIT_SECONDS, error.message);
      }
      throw error;
    }
  },
});

/** Refuses also those who reach `emit` by a cast: its message would come back to this consumer. */
function withoutEmit(work: Work): ConsumerWork {
  const refusing: Work = {
    ...work,
    emit() {
      throw invalidWork('work.emit: a consumer of the outbox queue cannot emit; it would get the message itself');
    },
  };
  return refusing;
}
