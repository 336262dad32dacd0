import { describe, expect, it } from 'vitest';
import { readTargets } from '../../../lambda/authoring/read-targets.ts';

const problemsWith = (options: unknown, name = 'billing') => readTargets({ [name]: options }).problems;
const problemsOf = (url: unknown) => problemsWith({ url });

const PRIVATE = ['the target "billing" has a url to this machine or to a private or reserved network'];

describe('a target', () => {
  it('gets all topics and ten seconds unless it says otherwise', () => {
    const given = {
      billing: { url: 'https://billing.example.com/hooks' },
      mail: { url: 'https://mail.example.com', topics: ['receipt.requested'], timeoutSeconds: 3 },
    };

    expect(readTargets(given)).toEqual({
      targets: [
        { name: 'billing', url: 'https://billing.example.com/hooks', topics: undefined, timeout: 10_000 },
        { name: 'mail', url: 'https://mail.example.com', topics: ['receipt.requested'], timeout: 3000 },
      ],
      problems: [],
    });
  });

  it.each([
    [0, 1],
    [1, 0],
    [40, 0],
    [41, 1],
  ])('may have a name of 1 to 40 characters: %d', (length, problems) => {
    expect(problemsWith({ url: 'https://example.com' }, 'a'.repeat(length))).toHaveLength(problems);
  });

  it.each(['Billing', 'billing:x', 'billing#1', 'bill_ing', 'bill ing'])('may not be named %s', (name) => {
    expect(problemsWith({ url: 'https://example.com' }, name)).toHaveLength(1);
  });

  it.each([
    [0, 1],
    [1, 0],
    [30, 0],
    [31, 1],
    [1.5, 1],
    ['10', 1],
  ])('may be given 1 to 30 whole seconds: %j', (timeoutSeconds, problems) => {
    expect(problemsWith({ url: 'https://example.com', timeoutSeconds })).toHaveLength(problems);
  });

  it.each([[[]], ['receipt.requested'], [['']], [[1]]])('may not want the topics %j', (topics) => {
    expect(problemsWith({ url: 'https://example.com', topics })).toHaveLength(1);
  });

  it('may not have an option that would be without effect', () => {
    expect(problemsWith({ url: 'https://example.com', topic: 'x' })).toEqual([
      'the target "billing" has the unknown option topic; known are url, topics, timeoutSeconds',
    ]);
  });

  it('is told everything that is wrong with it at once', () => {
    expect(readTargets({ Billing: { topics: [] }, mail: 'https://example.com' }).problems).toEqual([
      'the target "Billing" needs a name of a-z, 0-9 and hyphens, 40 characters at most',
      'the target "Billing" needs url to be a URL',
      'the target "Billing" needs topics to be a list of names; leave it out for all topics',
      'the target "mail" needs to be an object with a url',
    ]);
  });

  it('is missed where there is none', () => {
    expect(readTargets({}).problems).toEqual(['there is no target in it; leave it out to deliver nothing']);
  });
});

describe("a target's url", () => {
  it.each([
    ['http://example.com', 'needs url to begin with https:'],
    ['ftp://example.com', 'needs url to begin with https:'],
    ['example.com', 'needs url to be a URL'],
    [undefined, 'needs url to be a URL'],
    ['https://user@example.com', 'has a user or a password in its url'],
    ['https://:hunter2@example.com', 'has a user or a password in its url'],
  ])('may not be %s', (url, problem) => {
    expect(problemsOf(url)).toEqual([`the target "billing" ${problem}`]);
  });

  it.each([
    'https://localhost',
    'https://LOCALHOST.',
    'https://a.localhost/x',
    'https://intranet/hooks',
    'https://ip-10-0-0-1.ec2.internal',
    'https://printer.local',
    'https://127.0.0.1',
    'https://127.1',
    'https://0x7f.1',
    'https://2130706433',
    'https://0177.0.0.1',
    'https://１２７.0.0.1',
    'https://10.1.2.3:8443/hooks',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]',
    'https://[::ffff:10.0.0.1]',
    'https://[64:ff9b::10.0.0.1]',
    'https://[fd00:ec2::254]',
    'https://[fe80::1]',
  ])('may not lead into a private network: %s', (url) => {
    expect(problemsOf(url)).toEqual(PRIVATE);
  });

  it.each([
    'https://example.com:8443/hooks?key=1',
    'https://8.8.8.8',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example.com',
  ])('may be %s', (url) => {
    expect(problemsOf(url)).toEqual([]);
  });

  it('is in no message: a key may be in it', () => {
    const { problems } = readTargets({ billing: { url: 'http://hunter2@10.0.0.1/hunter2?key=hunter2' } });

    expect(problems.join()).not.toContain('hunter2');
  });
});
