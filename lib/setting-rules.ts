/** Which values a setting takes. */
export interface SettingRule<Value> {
  /** Ends the sentence "… must be". */
  readonly allowed: string;
  /**
   * Reads a value from `cdk.json` (JSON) or from the command line, where everything is a string.
   * `undefined` when it is not allowed.
   */
  readonly parse: (given: unknown) => Value | undefined;
}

/** A whole number from `min` to `max`, both included. `008`, `1e3`, ` 8` and `8.0` are not among them. */
export function wholeNumber(min: number, max: number): SettingRule<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (given) => {
      const value = numberIn(given);
      return value !== undefined && value >= min && value <= max ? value : undefined;
    },
  };
}

/** One of some whole numbers. */
export function oneNumberOf(choices: readonly number[]): SettingRule<number> {
  return {
    allowed: `one of ${choices.join(', ')}`,
    parse: (given) => choices.find((choice) => choice === numberIn(given)),
  };
}

/** One of some words, spelled exactly so. */
export function oneWordOf<const Word extends string>(choices: readonly Word[]): SettingRule<Word> {
  return {
    allowed: choices.map((choice) => `\`${choice}\``).join(' or '),
    parse: (given) => choices.find((choice) => choice === given),
  };
}

/** Yes or no: a boolean in `cdk.json`, a word on the command line. `1`, `yes` and `True` are neither. */
export const yesOrNo: SettingRule<boolean> = {
  allowed: '`true` or `false`',
  parse: (given) => {
    if (given === true || given === 'true') return true;
    return given === false || given === 'false' ? false : undefined;
  },
};

/** What the first rule takes, or else what the second one takes. */
export function either<A, B>(first: SettingRule<A>, second: SettingRule<B>): SettingRule<A | B> {
  return {
    allowed: `${first.allowed}, or ${second.allowed}`,
    parse: (given) => first.parse(given) ?? second.parse(given),
  };
}

/**
 * The ARN of a KMS key. An alias is not taken: a policy cannot grant the use of a key by its alias's ARN.
 *
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/alias-authorization.html
 */
export const kmsKeyArn: SettingRule<string> = {
  allowed: 'the ARN of a KMS key, `arn:aws:kms:<region>:<account>:key/<id>`',
  parse: (given) =>
    typeof given === 'string' && /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/.test(given)
      ? given
      : undefined,
};

function numberIn(given: unknown): number | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) ? given : undefined;
  if (typeof given !== 'string' || !/^(0|[1-9]\d{0,14})$/.test(given)) return undefined;
  return Number(given);
}
