import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { closeServer, LOOPBACK, listenOnLoopback } from '../http/loopback-server.ts';
import { recordOf } from '../template/template.ts';
import { CURRENT, type SecretStore, type StoredSecret } from './secret-store.ts';

export interface SecretsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** An error as the service states it. */
interface Refusal {
  readonly error: string;
  readonly message: string;
}

type Answer = Readonly<Record<string, unknown>> | Refusal;

/**
 * Answers Secrets Manager's `GetSecretValue`, `PutSecretValue` and `DescribeSecret` from a store.
 * Only for callers who sign with our access key, because other users of this machine can
 * reach the port as well.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/Welcome.html
 */
export async function startSecretsServer(store: SecretStore, accessKeyId: string): Promise<SecretsServer> {
  const server = createServer((request, response) => {
    void answer(request)
      .catch((): Answer => ({ error: 'SerializationException', message: 'the request is not JSON' }))
      .then((result) => send(response, result));
  });

  async function answer(request: IncomingMessage): Promise<Answer> {
    if (!request.headers.authorization?.includes(`Credential=${accessKeyId}/`)) {
      return {
        error: 'UnrecognizedClientException',
        message: 'The security token included in the request is invalid.',
      };
    }
    const action = String(request.headers['x-amz-target']).replace(/^secretsmanager\./, '');
    const input = recordOf(await json(request));
    const run = ACTIONS[action];
    if (run === undefined) return { error: 'UnknownOperationException', message: `local AWS has no ${action}` };
    const secret = store.find(String(input['SecretId']));
    if (secret === undefined)
      return { error: 'ResourceNotFoundException', message: "Secrets Manager can't find the specified secret." };
    return run(secret, input, store);
  }

  const port = await listenOnLoopback(server, 0);
  return { url: `http://${LOOPBACK}:${port}`, close: () => closeServer(server) };
}

type Action = (secret: StoredSecret, input: Readonly<Record<string, unknown>>, store: SecretStore) => Answer;

const ACTIONS: Readonly<Record<string, Action | undefined>> = {
  GetSecretValue: (secret, input) => {
    const { VersionId: versionId, VersionStage: stage } = { VersionId: undefined, VersionStage: undefined, ...input };
    const wantedStage = versionId === undefined ? (stage ?? CURRENT) : stage;
    const version = secret.versions.find(
      (candidate) =>
        (versionId === undefined || candidate.versionId === versionId) &&
        (wantedStage === undefined || candidate.stages.includes(String(wantedStage))),
    );
    if (version === undefined) {
      const label = versionId === undefined ? `staging label: ${wantedStage}` : `VersionId: ${versionId}`;
      return {
        error: 'ResourceNotFoundException',
        message: `Secrets Manager can't find the specified secret value for ${label}`,
      };
    }
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: version.versionId,
      SecretString: version.value,
      VersionStages: version.stages,
      CreatedDate: version.createdAtMs / 1000,
    };
  },

  PutSecretValue: (secret, input, store) => {
    const { SecretString: value, ClientRequestToken: token } = {
      SecretString: undefined,
      ClientRequestToken: undefined,
      ...input,
    };
    if (typeof value !== 'string' || value === '') {
      return { error: 'InvalidParameterException', message: 'You must provide SecretString.' };
    }
    const version = store.put(secret.name, value, typeof token === 'string' ? token : undefined);
    return { ARN: secret.arn, Name: secret.name, VersionId: version?.versionId, VersionStages: version?.stages };
  },

  DescribeSecret: (secret) => ({
    ARN: secret.arn,
    Name: secret.name,
    VersionIdsToStages: Object.fromEntries(secret.versions.map(({ versionId, stages }) => [versionId, stages])),
  }),
};

const isRefusal = (answer: Answer): answer is Refusal => 'error' in answer;

function send(response: ServerResponse, answer: Answer): void {
  const refused = isRefusal(answer);
  const body = refused ? { __type: answer.error, message: answer.message, Message: answer.message } : answer;
  response.writeHead(refused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
}
