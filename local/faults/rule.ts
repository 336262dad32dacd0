import type { Call, Fault, FaultSource } from './fault.ts';

/** Which calls meet a fault: those that satisfy everything that is given. */
export interface FaultRule {
  /** As in an ARN, such as `dynamodb`. */
  readonly service?: string;
  /** As on the wire, such as `TransactWriteItems`. */
  readonly action?: string;
  readonly functionKey?: string;
  /** The name of a table, queue or secret that the call touches. */
  readonly resource?: string;
  /** Anything else, such as what the request says. */
  readonly when?: (call: Call) => boolean;
  /** Lets this many matching calls pass first. @default 0 */
  readonly skip?: number;
  /** Ends after this many faults. @default 1 */
  readonly times?: number;
  readonly fault: Fault | ((call: Call) => Fault);
}

/**
 * A source of faults that follows one rule.
 *
 * @example faults.use(faultRule({ action: 'TransactWriteItems', fault: { kind: 'kill-after' } }));
 */
export function faultRule(rule: FaultRule): FaultSource {
  let toSkip = rule.skip ?? 0;
  let left = rule.times ?? 1;

  return (call) => {
    if (left <= 0 || !satisfies(rule, call)) return undefined;
    if (toSkip > 0) {
      toSkip -= 1;
      return undefined;
    }
    left -= 1;
    return typeof rule.fault === 'function' ? rule.fault(call) : rule.fault;
  };
}

const satisfies = ({ service, action, functionKey, resource, when }: FaultRule, call: Call): boolean =>
  (service === undefined || service === call.service) &&
  (action === undefined || action === call.action) &&
  (functionKey === undefined || functionKey === call.functionKey) &&
  (resource === undefined || call.needs.some((need) => namesResource(need.resource, resource))) &&
  (when === undefined || when(call));

/** Whether an ARN is that of `name`, or of a part of it such as an index. */
const namesResource = (arn: string, name: string): boolean => arn.split(/[:/]/).includes(name);
