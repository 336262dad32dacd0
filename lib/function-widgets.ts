import { GraphWidget, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionWithRole } from './function-with-role.ts';
import { durationOf, errorsOf, named, throttlesOf } from './metrics.ts';
import { HEIGHT } from './widget-size.ts';

/** How the functions do, a line each: what Lambda itself sees of them. */
export const functionHealth = (functions: readonly FunctionWithRole[]): readonly (readonly IWidget[])[] => [
  [
    new GraphWidget({
      title: 'Functions: errors',
      width: 8,
      height: HEIGHT,
      left: functions.map(({ lambda, name }) => named(errorsOf(lambda), name)),
      leftYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Functions: throttled invocations',
      width: 8,
      height: HEIGHT,
      left: functions.map(({ lambda, name }) => named(throttlesOf(lambda), name)),
      leftYAxis: { min: 0 },
    }),
    new GraphWidget({
      title: 'Functions: duration, 99 %',
      width: 8,
      height: HEIGHT,
      left: functions.map(({ lambda, name }) => named(durationOf(lambda), name)),
      leftYAxis: { min: 0, label: 'ms', showUnits: false },
    }),
  ],
];
