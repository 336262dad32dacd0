import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../problem.ts';

/** DynamoDB Local is compiled for it. */
const OLDEST_JAVA = 11;

const ADVICE =
  'install one (Debian: apt-get install default-jre-headless), or name a DynamoDB Local that runs elsewhere with ' +
  '--dynamodb-endpoint http://127.0.0.1:8000 or ONCEHOOK_DYNAMODB_ENDPOINT';

/**
 * The path of a Java new enough for DynamoDB Local: that of `JAVA_HOME`, or else the first in `PATH`.
 *
 * @throws Problem naming what to install when there is none.
 */
export async function findJava(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const home = environment['JAVA_HOME'];
  const candidates = [...(home === undefined || home === '' ? [] : [join(home, 'bin', 'java')]), 'java'];
  const found: number[] = [];
  for (const candidate of candidates) {
    const version = await versionOf(candidate, environment);
    if (version === undefined) continue;
    if (version >= OLDEST_JAVA) return candidate;
    found.push(version);
  }
  const what = found.length === 0 ? 'there is none' : `the one here is Java ${found.join(' and ')}`;
  throw new Problem(`DynamoDB Local needs Java ${OLDEST_JAVA} or later, and ${what}: ${ADVICE}`);
}

async function versionOf(
  java: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number | undefined> {
  try {
    const { stdout, stderr } = await promisify(execFile)(java, ['-version'], { env: environment });
    return parseJavaVersion(stderr + stdout);
  } catch {
    return undefined;
  }
}

/** The feature release that `java -version` speaks of: 8 for `1.8.0_412`, 17 for `17.0.15`. */
export function parseJavaVersion(output: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(output);
  return match === null ? undefined : Number(match[1]);
}
