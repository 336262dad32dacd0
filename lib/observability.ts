import { Aws, Duration, Fn } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Dashboard, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { alarmsOf } from './alarms.ts';
import type { Outbox } from './outbox.ts';
import { dedupHits, latestDuplicates, outboxFlow, traffic } from './widgets.ts';

export interface ObservabilityProps {
  /** Names of the sources, each a line of its own. */
  readonly sources: readonly string[];
  readonly receiveLogs: ILogGroup;
  /** `undefined` where messages are not sent. */
  readonly outbox: Outbox | undefined;
}

/** The dashboard, which opens on dedup hits, and the alarms. */
export class Observability extends Construct {
  readonly dashboardUrl: string;

  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);

    // Without a name of ours: dashboards share one list in all Regions of an account.
    const dashboard = new Dashboard(this, 'Dashboard', { defaultInterval: Duration.days(1) });
    const rows = [
      ...dedupHits(props.sources),
      ...traffic(),
      ...(props.outbox === undefined ? [] : outboxFlow(props.outbox.queues)),
      [latestDuplicates(props.receiveLogs)],
    ];
    for (const row of rows) dashboard.addWidgets(...row);
    this.dashboardUrl = Fn.join('', [
      'https://console.aws.amazon.com/cloudwatch/home?region=',
      Aws.REGION,
      '#dashboards/dashboard/',
      dashboard.dashboardName,
    ]);

    for (const { name, severity, meaning, metric, atLeast, ringsWhenSilent } of alarmsOf(props.outbox)) {
      new Alarm(this, name, {
        alarmName: `${Aws.STACK_NAME}-${name}`,
        alarmDescription: `${name}. Severity: ${severity}. ${meaning} Runbook: docs/runbook.md#${name.toLowerCase()}`,
        metric,
        threshold: atLeast,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 1,
        // Where nothing happens, nothing fails; SQS and Lambda are silent about what is not used.
        treatMissingData: ringsWhenSilent ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      });
    }
  }
}
