import type { FunctionSpec } from '../functions/function-spec.ts';
import type { ScheduleSpec } from '../mappings/schedule.ts';
import { Problem } from '../problem.ts';
import { functionOf } from './function-of.ts';
import { type Place, physicalAttribute } from './physical-names.ts';
import type { Resolver } from './resolver.ts';
import { resourcesOf } from './resource-types.ts';
import { listOf, type Resource, recordOf, type Template } from './template.ts';

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** What a target may have, beside the function. How often EventBridge itself tries has no meaning here. */
const OF_TARGET = new Set(['Arn', 'Id', 'Input', 'RetryPolicy']);

/** As often as Lambda tries again by default.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const DEFAULT_RETRIES = 2;

/**
 * The rules that run a function at a rate, one entry for each function, but for those that are
 * switched off.
 *
 * @throws Problem for a rule of another kind, and for one that its function does not permit.
 */
export function readScheduleSpecs(
  template: Template,
  resolver: Resolver,
  functions: readonly FunctionSpec[],
  place: Place,
): readonly ScheduleSpec[] {
  return resourcesOf(template, 'AWS::Events::Rule')
    .filter(({ properties }) => properties['State'] !== 'DISABLED')
    .flatMap((rule) => {
      const ruleArn = physicalAttribute(template, rule, 'Arn', place);
      const everyMs = readRate(rule);
      return listOf(resolver.resolve(rule.properties['Targets'], `${rule.logicalId}.Targets`))
        .map(recordOf)
        .map((target) => {
          const unknown = Object.keys(target).find((name) => !OF_TARGET.has(name));
          if (unknown !== undefined) {
            throw new Problem(`${rule.logicalId} has a target with ${unknown}, which local AWS does not know`);
          }
          const { key, name, arn } = functionOf(target['Arn'], functions, rule.logicalId);
          requirePermission(template, resolver, { ruleId: rule.logicalId, ruleArn, name, arn });
          const input = target['Input'];
          return {
            logicalId: rule.logicalId,
            ruleArn,
            functionKey: key,
            functionName: name,
            everyMs,
            input: input === undefined ? undefined : String(input),
            maxRetries: retriesOf(template, resolver, name),
          };
        });
    });
}

function readRate({ logicalId, properties }: Resource): number {
  const expression = String(properties['ScheduleExpression']);
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs === undefined || properties['EventPattern'] !== undefined) {
    throw new Problem(`${logicalId} is the rule ${expression}: local AWS knows rate(N minutes), hours and days`);
  }
  return Number(count) * unitMs;
}

/** Without it EventBridge's calls come to nothing, and nobody is told. */
function requirePermission(
  template: Template,
  resolver: Resolver,
  { ruleId, ruleArn, name, arn }: Readonly<Record<'ruleId' | 'ruleArn' | 'name' | 'arn', string>>,
): void {
  const permitted = resourcesOf(template, 'AWS::Lambda::Permission').some(({ logicalId, properties }) => {
    const read = (property: string): unknown => resolver.resolve(properties[property], `${logicalId}.${property}`);
    const sourceArn = read('SourceArn');
    return (
      read('Principal') === 'events.amazonaws.com' &&
      read('Action') === 'lambda:InvokeFunction' &&
      [name, arn].includes(String(read('FunctionName'))) &&
      (sourceArn === undefined || sourceArn === ruleArn)
    );
  });
  if (!permitted) throw new Problem(`${ruleId} may not run ${name}: give it an AWS::Lambda::Permission`);
}

function retriesOf(template: Template, resolver: Resolver, functionName: string): number {
  const config = resourcesOf(template, 'AWS::Lambda::EventInvokeConfig').find(
    ({ logicalId, properties }) => resolver.resolve(properties['FunctionName'], logicalId) === functionName,
  );
  return Number(config?.properties['MaximumRetryAttempts'] ?? DEFAULT_RETRIES);
}
