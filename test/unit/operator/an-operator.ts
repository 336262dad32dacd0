import { run } from '../../../lambda/operator/command-line/run.ts';
import type { Surroundings } from '../../../lambda/operator/command-line/surroundings.ts';
import { readBody } from '../../../lambda/operator/outside/files.ts';
import type { HttpAnswer, HttpRequest, Terminal } from '../../../lambda/operator/ports.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { sources } from '../../support/three-sources.ts';

/** Somebody at the CLI, without a process: what they type, and all they get to see. */
export function anOperator(changes: Partial<Surroundings> & { readonly stdin?: string; readonly typed?: string } = {}) {
  const printed: string[] = [];
  const noted: string[] = [];
  const asked: string[] = [];
  const written: Uint8Array[] = [];
  const interruption = new AbortController();
  const { stdin = '', typed, ...others } = changes;
  const terminal: Terminal = {
    print: (line) => void printed.push(line),
    note: (line) => void noted.push(line),
    isInteractive: typed !== undefined,
    readInput: async () => Buffer.from(stdin),
    async askHidden(question) {
      asked.push(question);
      return typed ?? '';
    },
    async ask(question) {
      asked.push(question);
      return typed ?? '';
    },
    write: async (bytes) => void written.push(bytes),
  };
  const clock = createManualClock();
  const surroundings: Surroundings = {
    terminal,
    clock,
    chance: { token: () => '3f2504e0-4f89-41d3-9a0c-0305e82c3301', random: () => 0.5 },
    post: refuse('post'),
    loadSources: async () => sources,
    readLocalState: () => undefined,
    readFile: readBody,
    writeNewFile: refuse('writeNewFile'),
    openSecretStore: refuse('openSecretStore'),
    openDeployment: refuse('openDeployment'),
    operatorName: () => 'robin',
    untilInterrupted: (work) => work(interruption.signal),
    ...others,
  };
  return {
    clock,
    printed,
    noted,
    asked,
    written,
    interruption,
    run: (...args: readonly string[]) => run(args, surroundings),
  };
}

const refuse = (name: string) => async () => {
  throw new Error(`the test expected no ${name}`);
};

/** Records what is sent and answers each in turn; the last answer repeats. */
export function createPostman(...answers: readonly HttpAnswer[]) {
  const sent: HttpRequest[] = [];
  return {
    sent,
    post: async (request: HttpRequest): Promise<HttpAnswer> => {
      sent.push(request);
      return answers[Math.min(sent.length, answers.length) - 1] ?? answered(200, 'processed');
    },
  };
}

export const answered = (
  status: number,
  outcome?: string,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({
  kind: 'answered',
  status,
  headers: { ...headers, ...(outcome !== undefined && { 'x-oncehook-outcome': outcome }) },
  text: outcome === undefined ? '{"message":"Not Found"}' : JSON.stringify({ outcome, eventId: 'evt_answered' }),
});
