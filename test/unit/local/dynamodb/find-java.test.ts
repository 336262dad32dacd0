import { describe, expect, it } from 'vitest';
import { findJava, parseJavaVersion } from '../../../../local/dynamodb/find-java.ts';

describe('the Java that DynamoDB Local needs', () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['java version "1.8.0_412"', 8],
    ['openjdk version "25" 2025-09-16', 25],
    ['command not found', undefined],
  ])('is recognised in %s', (output, version) => {
    expect(parseJavaVersion(output)).toBe(version);
  });

  it('is asked for by its package, with the other way out, when there is none', async () => {
    const found = findJava({ PATH: '/nowhere' });

    await expect(found).rejects.toThrow(
      /there is none: install one \(Debian: apt-get install default-jre-headless\), .*--dynamodb-endpoint.*ONCEHOOK_DYNAMODB_ENDPOINT/,
    );
  });
});
