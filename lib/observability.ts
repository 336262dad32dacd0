import { Aws, Duration, Fn } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, Dashboard, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type AlarmDefinition, alarmsOf } from './alarms.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import { functionHealth } from './function-widgets.ts';
import type { FunctionWithRole } from './function-with-role.ts';
import type { Outbox } from './outbox.ts';
import { consumerFlow, deliverFlow, outboxFlow } from './outbox-widgets.ts';
import type { Retries } from './retries.ts';
import { applying, dedupHits, latestDuplicates, retryFlow, traffic } from './widgets.ts';

export interface ObservabilityProps {
  /** Names of the sources, each a line of its own. */
  readonly sources: readonly string[];
  readonly api: IHttpApi;
  readonly receive: FunctionWithRole;
  readonly retries: Retries;
  readonly outbox: Outbox;
  /** Absent in a stack whose outbox queue has no consumer. */
  readonly consume: FunctionWithRole | undefined;
  /** Absent in a stack without the deliverer. */
  readonly deliver: FunctionWithRole | undefined;
  /** Of the deliverer, if there is one. */
  readonly deliveries: DeliveryQueues | undefined;
  /** Is told of each alarm that rings. */
  readonly alarmTopic: ITopic | undefined;
}

/** The dashboard, which opens on dedup hits, and the alarms. */
export class Observability extends Construct {
  readonly dashboardUrl: string;

  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);
    const { receive, retries, outbox, consume, deliver, deliveries, alarmTopic } = props;
    const functions = [receive, retries.work, outbox.dispatch, outbox.sweep, consume, deliver].filter(
      (each) => each !== undefined,
    );

    // Without a name of ours: dashboards share one list in all Regions of an account.
    const dashboard = new Dashboard(this, 'Dashboard', { defaultInterval: Duration.days(1) });
    const rows = [
      ...dedupHits(props.sources),
      ...traffic(props.api),
      ...applying(),
      ...retryFlow(retries.queues),
      ...outboxFlow(outbox.queues),
      ...(consume === undefined ? [] : consumerFlow()),
      ...(deliveries === undefined ? [] : deliverFlow(deliveries)),
      ...functionHealth(functions),
      // Of the functions that write a line for each event.
      [latestDuplicates([receive.logGroup, retries.work.logGroup])],
    ];
    for (const row of rows) dashboard.addWidgets(...row);
    this.dashboardUrl = Fn.join('', [
      'https://console.aws.amazon.com/cloudwatch/home?region=',
      Aws.REGION,
      '#dashboards/dashboard/',
      dashboard.dashboardName,
    ]);

    for (const definition of alarmsOf(props)) {
      const { name, metric, atLeast, ringsWhenSilent } = definition;
      const alarm = new Alarm(this, name, {
        alarmName: `${Aws.STACK_NAME}-${name}`,
        alarmDescription: describe(definition),
        metric,
        threshold: atLeast,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 1,
        // Where nothing happens, nothing fails; SQS and Lambda are silent about what is not used.
        treatMissingData: ringsWhenSilent ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      });
      if (alarmTopic !== undefined) alarm.addAlarmAction(new SnsAction(alarmTopic));
    }
  }
}

/** All that a person needs who gets the alarm as a mail. */
const describe = ({ name, severity, meaning, atLeast, unit, ringsWhenSilent }: AlarmDefinition): string =>
  `${name}. Severity: ${severity}. ${meaning} Rings at ${atLeast} or more ${unit} in five minutes, and ` +
  `${ringsWhenSilent ? 'when' : 'not when'} no data comes. Runbook: docs/runbook.md#${name.toLowerCase()}`;
