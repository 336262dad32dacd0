import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI_TIMEOUT, runCli } from './cli-process.ts';

/* The real program against a server that stands where CloudFormation does, found as every AWS tool finds it. */

let server: Server;
const asked: string[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const name = form.get('StackName') ?? '';
    asked.push(`${form.get('Action')} ${name}`);
    if (name === 'Denied') return void response.writeHead(403).end(error('AccessDenied', 'no'));
    if (name === 'Gone') {
      return void response.writeHead(400).end(error('ValidationError', 'Stack with id Gone does not exist'));
    }
    response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(
        `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member><OutputKey>ApiUrl</OutputKey><OutputValue>https://api.test</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

const error = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

const run = (...args: readonly string[]) =>
  runCli(args, {
    env: {
      AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'TEST',
      AWS_SECRET_ACCESS_KEY: 'test',
      ONCEHOOK_STATE_FILE: '/nonexistent/local.json',
    },
  });

describe('--stack', { timeout: 2 * CLI_TIMEOUT }, () => {
  it.each([
    ['Gone', /^oncehook: there is no stack Gone in this account and Region: is --region right\?$/m],
    [
      'Denied',
      /^oncehook: access denied: these credentials may not call cloudformation:DescribeStacks on stack Denied$/m,
    ],
    ['Other', /^oncehook: stack Other has no output InboxTableName: it is none of Oncehook's, or needs a deploy$/m],
  ])('%s is refused in one line', async (stack, line) => {
    const { code, stdout, stderr } = await run('inbox', 'list', '--stack', stack);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(line);
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(asked).toContain(`DescribeStacks ${stack}`);
  });
});

it('without a stack, and with nothing that runs, is refused', { timeout: 2 * CLI_TIMEOUT }, async () => {
  const { code, stderr } = await run('stats');

  expect([code, stderr]).toEqual([
    1,
    'oncehook: nothing runs here: start it with npm start, or name a stack in AWS with --stack NAME\n',
  ]);
});
