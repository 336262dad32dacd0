import type { LogFeed } from '../functions/log-feed.ts';
import { type ServiceServer, startServiceServer } from '../gateway/service-server.ts';
import { targetActionOf } from '../gateway/services/json-service.ts';
import { describeLogsError, logGroupOf, logsAnswer } from '../gateway/services/logs.ts';
import type { LogGroups } from '../template/log-groups.ts';
import { recordOf } from '../template/template.ts';
import { filterLogEvents } from './filter-log-events.ts';

export interface LogsServerDeps {
  readonly accessKeyId: string;
  readonly logs: Pick<LogFeed, 'entries'>;
  readonly logGroups: () => LogGroups;
}

/** Answers CloudWatch Logs' `FilterLogEvents` from the lines that the functions have written. */
export const startLogsServer = ({ accessKeyId, logs, logGroups }: LogsServerDeps): Promise<ServiceServer> =>
  startServiceServer({
    accessKeyId,
    describeError: describeLogsError,
    answer(request) {
      const action = targetActionOf(request);
      if (action !== 'FilterLogEvents') {
        return { code: 'UnknownOperationException', message: `local AWS has no ${action} of CloudWatch Logs` };
      }
      const input = recordOf(JSON.parse(request.body.toString('utf8')));
      const functionKeys = logGroups().get(logGroupOf(input));
      if (functionKeys === undefined)
        return { code: 'ResourceNotFoundException', message: 'The specified log group does not exist.' };
      // What the platform says here has no line in AWS.
      const found = filterLogEvents(
        logs.entries.filter(({ from, functionKey }) => from === 'function' && functionKeys.includes(functionKey)),
        input,
      );
      return 'code' in found ? found : logsAnswer({ ...found });
    },
  });
