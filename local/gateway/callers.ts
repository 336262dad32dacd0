import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';

/** Credentials as Lambda gives them to an instance: of a role, for a session. */
export interface SessionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** An instance, toward the services that it calls. */
export interface Caller {
  readonly functionKey: string;
  readonly instanceId: string;
  /** Nobody else's, so that a call says whose it is. */
  readonly credentials: SessionCredentials;
  readonly pid: number | undefined;
  /** The invocation it is at or was at last: what it does in the background belongs to that one. */
  readonly invocationId: string | undefined;
  /** Its process has been started. */
  runsIn(child: ChildProcess): void;
  /** It is given an invocation. */
  begins(invocationId: string): void;
  /** SIGKILL; tells whether there was a process to kill. */
  kill(): boolean;
}

/** Every instance there is or has been. */
export interface Callers {
  admit(instance: { readonly functionKey: string; readonly instanceId: string }): Caller;
  find(accessKeyId: string, sessionToken: string): Caller | undefined;
}

/**
 * Credentials outlive their instance: a call that it sent before it was killed is still its call,
 * and is applied as AWS would apply it.
 */
export function createCallers(): Callers {
  const byAccessKey = new Map<string, Caller>();

  return {
    admit(instance) {
      const credentials = generateSessionCredentials();
      let child: ChildProcess | undefined;
      let pid: number | undefined;
      let invocationId: string | undefined;
      const caller: Caller = {
        functionKey: instance.functionKey,
        instanceId: instance.instanceId,
        credentials,
        get pid() {
          return pid;
        },
        get invocationId() {
          return invocationId;
        },
        runsIn(started) {
          child = started;
          pid = started.pid;
          started.once('exit', () => {
            child = undefined;
          });
        },
        begins(id) {
          invocationId = id;
        },
        kill: () => child?.kill('SIGKILL') === true,
      };
      byAccessKey.set(credentials.accessKeyId, caller);
      return caller;
    },
    find(accessKeyId, sessionToken) {
      const caller = byAccessKey.get(accessKeyId);
      return caller?.credentials.sessionToken === sessionToken ? caller : undefined;
    },
  };
}

// Letters and digits only: DynamoDB Local refuses any other access key.
const generateSessionCredentials = (): SessionCredentials => ({
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(20).toString('hex'),
  sessionToken: randomBytes(20).toString('hex'),
});
