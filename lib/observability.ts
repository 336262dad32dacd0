import { Aws, Duration, Fn } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Dashboard, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRICS } from '../lambda/contract.ts';
import { total } from './metrics.ts';
import { dedupHits, latestDuplicates, traffic } from './widgets.ts';

export interface ObservabilityProps {
  /** Names of the sources, each a line of its own. */
  readonly sources: readonly string[];
  readonly receiveLogs: ILogGroup;
}

/** The dashboard, which opens on dedup hits, and the alarm on failed events. */
export class Observability extends Construct {
  readonly dashboardUrl: string;

  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);

    // Without a name of ours: dashboards share one list in all Regions of an account.
    const dashboard = new Dashboard(this, 'Dashboard', { defaultInterval: Duration.days(1) });
    for (const row of [...dedupHits(props.sources), ...traffic(), [latestDuplicates(props.receiveLogs)]]) {
      dashboard.addWidgets(...row);
    }
    this.dashboardUrl = Fn.join('', [
      'https://console.aws.amazon.com/cloudwatch/home?region=',
      Aws.REGION,
      '#dashboards/dashboard/',
      dashboard.dashboardName,
    ]);

    new Alarm(this, 'Failed', {
      alarmName: `${Aws.STACK_NAME}-Failed`,
      alarmDescription: 'Failed. Severity: high. A verified event was not applied. Runbook: docs/runbook.md#failed',
      metric: total(METRICS.failed),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      // No events is not a failure.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
