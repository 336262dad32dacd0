import { assertNever } from '../../lambda/core/assert-never.ts';
import type { Caller } from '../gateway/callers.ts';
import type { Answer, GatewayService } from '../gateway/gateway-service.ts';
import type { Call, Wait } from './fault.ts';
import type { ChosenFault } from './faults.ts';

/** The call that meets a fault, and what can be done with it. */
export interface FaultyCall {
  readonly service: GatewayService;
  readonly caller: Caller;
  readonly call: Call;
  /** Has the service apply it, or this in its place. */
  readonly forward: (body?: Buffer) => Promise<Answer>;
  /** Waits, and tells whether there is nobody left to go on for. */
  readonly hasClosedAfter: (wait: Wait) => Promise<boolean>;
}

/** Lets a fault happen; `none` when the caller gets no answer. */
export async function applyFault(
  chosen: ChosenFault,
  { service, caller, call, forward, hasClosedAfter }: FaultyCall,
): Promise<Answer | 'none'> {
  const { fault } = chosen;
  switch (fault.kind) {
    case 'refuse':
      chosen.done();
      return service.describeError({ code: fault.code, message: fault.message ?? 'local AWS was told to fail' });
    case 'throttle':
      chosen.done();
      return service.describeThrottling(call, fault.at);
    case 'conflict': {
      const conflict = service.describeConflict(call, fault.at ?? 0);
      if (conflict === undefined) throw new Error(`no transaction can be in the way of ${call.action}`);
      chosen.done();
      return conflict;
    }
    case 'partial': {
      const { failed, unanswered = [], code = 'InternalError' } = fault;
      const part = service.applyPart?.(call, { failed, unanswered, code });
      if (part === undefined) throw new Error(`${call.action} has no entries of which some could fail`);
      const applied = part.body === undefined ? undefined : await forward(part.body);
      chosen.done();
      return part.answer(applied);
    }
    case 'cut':
      chosen.done();
      return 'none';
    case 'kill-before':
      chosen.kill(caller, 'before');
      return 'none';
    case 'delay-before':
      chosen.done();
      return (await hasClosedAfter(fault.wait)) ? 'none' : forward();
    case 'delay-after': {
      const answer = await forward();
      chosen.done();
      return (await hasClosedAfter(fault.wait)) ? 'none' : answer;
    }
    case 'drop-answer':
      await forward();
      chosen.done();
      return 'none';
    case 'kill-after':
      await forward();
      chosen.kill(caller, 'after');
      return 'none';
    default:
      return assertNever(fault);
  }
}
