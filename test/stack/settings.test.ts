import { describe, expect, it } from 'vitest';
import { days, hours } from '../../lambda/core/time.ts';
import { readSettings } from '../../lib/settings.ts';
import { aPreset, someSources } from './a-stack.ts';

const sources = someSources({ shop: aPreset() });
const read = (context: Readonly<Record<string, unknown>>) => readSettings(context, sources);

describe('the settings of a first deploy', () => {
  it('need nothing to be set', () => {
    expect(read({})).toEqual({
      stage: 'dev',
      dedupWindowDays: 14,
      receiveTimeoutSeconds: 10,
      receiveMemoryMb: 512,
      receiveReservedConcurrency: undefined,
      maxBodyBytes: 4_194_304,
      joinMs: 1500,
      maxAttempts: 5,
      retryAfterSeconds: 60,
      workTimeoutSeconds: 120,
      workMemoryMb: 512,
      workConcurrency: 50,
      outboxFifo: false,
      sweepAfterSeconds: 120,
      logRetentionDays: 30,
      tracing: false,
      alarmEmail: undefined,
      throttleRatePerSecond: 2000,
      throttleBurst: 5000,
      domainName: undefined,
      domainCertificateArn: undefined,
      keepDefaultEndpoint: false,
      customerKeyArn: undefined,
    });
  });
});

describe('a setting takes its smallest and its largest value and refuses the next ones', () => {
  it.each([
    ['dedupWindowDays', 3, 3650, 0, 3651],
    ['receiveTimeoutSeconds', 3, 29, 2, 30],
    ['receiveMemoryMb', 256, 10_240, 255, 10_241],
    ['receiveReservedConcurrency', 1, 10_000, 0, 10_001],
    ['maxBodyBytes', 1024, 4_194_304, 1023, 4_194_305],
    ['joinMs', 0, 10_000, -1, 10_001],
    ['maxAttempts', 2, 20, 1, 21],
    ['retryAfterSeconds', 1, 3600, 0, 3601],
    ['workTimeoutSeconds', 3, 900, 2, 901],
    ['workMemoryMb', 256, 10_240, 255, 10_241],
    ['workConcurrency', 2, 1000, 1, 1001],
    ['sweepAfterSeconds', 5, 3600, 4, 3601],
    ['logRetentionDays', 1, 3653, 0, 3654],
    ['throttleRatePerSecond', 1, 100_000, 0, 100_001],
    ['throttleBurst', 1, 100_000, 0, 100_001],
  ])('%s', (name, smallest, largest, below, above) => {
    expect(read({ [name]: smallest })).toHaveProperty(name, smallest);
    expect(read({ [name]: largest })).toHaveProperty(name, largest);
    expect(() => read({ [name]: below })).toThrow(`${name} must be`);
    expect(() => read({ [name]: above })).toThrow(`${name} must be`);
  });

  it('keeps logs for the days CloudWatch knows, and for no others', () => {
    expect(read({ logRetentionDays: 90 }).logRetentionDays).toBe(90);
    expect(() => read({ logRetentionDays: 91 })).toThrow('must be one of 1, 3, 5,');
  });
});

describe('a value from the command line', () => {
  it('is a string and means its number', () => {
    expect(read({ receiveTimeoutSeconds: '3' }).receiveTimeoutSeconds).toBe(3);
  });

  it.each(['', ' 5', '5 ', '05', '5.0', '5e0', '0x5', '+5', '-5', '5s', 'NaN', '５'])('%j is no number', (given) => {
    expect(() => read({ receiveTimeoutSeconds: given })).toThrow(
      `receiveTimeoutSeconds must be a whole number from 3 to 29; it is ${JSON.stringify(given)}`,
    );
  });
});

describe('a value in cdk.json', () => {
  it.each([null, true, [5], { seconds: 5 }, 5.5])('%j is no number', (given) => {
    expect(() => read({ receiveTimeoutSeconds: given })).toThrow(`it is ${JSON.stringify(given)}`);
  });
});

describe('the stage', () => {
  it('is dev or prod, spelled exactly so', () => {
    expect(read({ stage: 'prod' }).stage).toBe('prod');
    expect(() => read({ stage: 'Prod' })).toThrow('stage must be `dev` or `prod`; it is "Prod"');
  });
});

describe('a yes or a no', () => {
  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
  ])('may be %j', (given, meant) => {
    expect(read({ outboxFifo: given }).outboxFifo).toBe(meant);
  });

  it.each(['', 'True', 'yes', 'no', 1, 0, '1', null])('is not %j', (given) => {
    expect(() => read({ outboxFifo: given })).toThrow(
      `outboxFifo must be \`true\` or \`false\`; it is ${JSON.stringify(given)}`,
    );
  });
});

describe('the customer key', () => {
  it('is the ARN of a key', () => {
    const arn = 'arn:aws:kms:eu-central-1:111122223333:key/0d990263-018e-4e65-a703-eff731de951e';

    expect(read({ customerKeyArn: arn }).customerKeyArn).toBe(arn);
  });

  it.each(['arn:aws:kms:eu-central-1:111122223333:alias/webhooks', 'alias/webhooks', ''])('is not %j', (given) => {
    expect(() => read({ customerKeyArn: given })).toThrow('customerKeyArn must be the ARN of a KMS key');
  });
});

describe('the domain', () => {
  const certificate = 'arn:aws:acm:eu-central-1:111122223333:certificate/6f2c1a3e-58a7-4a51-9f0e-1d4c0e7a9b10';
  const withDomain = (context: Readonly<Record<string, unknown>>) =>
    read({ domainName: 'hooks.example.com', domainCertificateArn: certificate, ...context });

  it('is a host name and the certificate for it', () => {
    expect(withDomain({})).toMatchObject({ domainName: 'hooks.example.com', domainCertificateArn: certificate });
  });

  it.each(['domainName', 'domainCertificateArn'])('is refused without %s', (missing) => {
    expect(() => withDomain({ [missing]: undefined })).toThrow('belong together: set both, or neither');
  });

  it('may have a part of 63 characters and be of 253, and no more', () => {
    const part = 'a'.repeat(63);
    const longest = [part, part, part, 'a'.repeat(57), 'com'].join('.');

    expect(longest).toHaveLength(253);
    expect(withDomain({ domainName: longest }).domainName).toBe(longest);
    expect(() => withDomain({ domainName: `a${longest}` })).toThrow('domainName must be a host name');
    expect(() => withDomain({ domainName: `b.${longest}` })).toThrow('domainName must be a host name');
  });

  it.each([
    'localhost',
    'Hooks.example.com',
    'https://hooks.example.com',
    'hooks.example.com/',
    'hooks.example.com.',
    '*.example.com',
    '-hooks.example.com',
    'hooks_1.example.com',
    '192.0.2.1',
    '',
    7,
  ])('is not %j', (domainName) => {
    expect(() => withDomain({ domainName })).toThrow('domainName must be a host name in lower case');
  });

  it.each(['arn:aws:iam::111122223333:server-certificate/hooks', '6f2c1a3e-58a7-4a51-9f0e-1d4c0e7a9b10', ''])(
    'has no certificate %j',
    (domainCertificateArn) => {
      expect(() => withDomain({ domainCertificateArn })).toThrow('domainCertificateArn must be the ARN of an ACM cert');
    },
  );

  it('is in the Region of the customer key, because both are in that of the stack', () => {
    const keyIn = (region: string) => `arn:aws:kms:${region}:111122223333:key/0d990263-018e-4e65-a703-eff731de951e`;

    expect(() => withDomain({ customerKeyArn: keyIn('eu-central-1') })).not.toThrow();
    expect(() => withDomain({ customerKeyArn: keyIn('us-east-1') })).toThrow(
      'domainCertificateArn is in eu-central-1 and customerKeyArn in us-east-1',
    );
  });
});

describe('the address that alarms are mailed to', () => {
  it('is one address', () => {
    expect(read({ alarmEmail: 'on-call+hooks@example.com' }).alarmEmail).toBe('on-call+hooks@example.com');
  });

  it.each(['on-call', 'on-call@localhost', 'a@example.com,b@example.com', 'A <a@example.com>', ' a@example.com', ''])(
    'is not %j',
    (given) => {
      expect(() => read({ alarmEmail: given })).toThrow('alarmEmail must be one e-mail address');
    },
  );

  it('is of 254 characters at most', () => {
    const address = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;

    expect(read({ alarmEmail: address(254) }).alarmEmail).toHaveLength(254);
    expect(() => read({ alarmEmail: address(255) })).toThrow('alarmEmail must be one e-mail address');
  });
});

describe('a misspelt setting', () => {
  it('is refused with the names there are', () => {
    expect(() => read({ recieveTimeoutSeconds: 5 })).toThrow(
      /unknown setting recieveTimeoutSeconds; known are stage, /,
    );
  });

  it('is not confused with the context keys of CDK and of others', () => {
    const context = {
      '@aws-cdk/core:x': true,
      'aws:cdk:y': 1,
      'cli-telemetry': false,
      'availability-zones:account=1': [],
    };

    expect(() => read(context)).not.toThrow();
  });
});

describe('several mistakes', () => {
  it('are reported together, a line each', () => {
    expect(() => read({ stage: 'test', joinMs: 'x', timeout: 5 })).toThrow(
      expect.objectContaining({
        problems: [expect.stringMatching('timeout'), expect.stringMatching('stage'), expect.stringMatching('joinMs')],
      }),
    );
  });
});

describe('the dedup window', () => {
  it('is 14 days while twice the longest retry horizon is no more', () => {
    const patient = someSources({ a: aPreset({ retryHorizon: days(7) }), b: aPreset({ retryHorizon: hours(1) }) });

    expect(readSettings({}, patient).dedupWindowDays).toBe(14);
  });

  it('is otherwise twice the longest retry horizon, in whole days, rounded up', () => {
    const patient = someSources({ a: aPreset(), b: aPreset({ retryHorizon: hours(7 * 24 + 1) }) });

    expect(readSettings({}, patient).dedupWindowDays).toBe(15);
  });

  it('may be as long as the retry horizon of every source', () => {
    expect(read({ dedupWindowDays: 3 }).dedupWindowDays).toBe(3);
  });

  it('that is shorter is refused with the source and both numbers', () => {
    expect(() => read({ dedupWindowDays: '2' })).toThrow(
      /dedupWindowDays is 2 days, but source "shop" \(patient\) may send an event again for 3 days/,
    );
  });

  it('that is shorter by an hour does not read as equal', () => {
    const patient = someSources({ shop: aPreset({ retryHorizon: hours(3 * 24 + 1) }) });

    expect(() => readSettings({ dedupWindowDays: 3 }, patient)).toThrow(
      /is 3 days, .* for 3\.05 days.* Set at least 4/,
    );
  });

  it('is refused once for each source it is too short for', () => {
    const patient = someSources({
      a: aPreset(),
      b: aPreset({ retryHorizon: days(30) }),
      c: aPreset({ retryHorizon: days(1) }),
    });

    expect(() => readSettings({ dedupWindowDays: 2 }, patient)).toThrow(
      expect.objectContaining({ problems: [expect.stringMatching('"a"'), expect.stringMatching('"b"')] }),
    );
  });

  it('of for ever is longer than any horizon', () => {
    expect(read({ dedupWindowDays: 'forever' }).dedupWindowDays).toBe('forever');
    expect(() => read({ dedupWindowDays: 'always' })).toThrow(
      'a whole number from 1 to 3650, or `forever`; it is "always"',
    );
  });
});
