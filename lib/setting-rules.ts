/** Which values a setting takes. */
export interface SettingRule<Value> {
  /** Ends the sentence "… must be". */
  readonly allowed: string;
  /**
   * Reads a value from `cdk.json` (JSON) or from the command line, where everything is a string.
   * `undefined` when it is not allowed.
   */
  readonly parse: (given: unknown) => Value | undefined;
  /**
   * What is wrong with a value that is not allowed, in place of {@link SettingRule.allowed} and the value itself: where
   * the value has parts, or must not be shown.
   */
  readonly problemsOf?: (given: unknown) => readonly string[];
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

/**
 * The ARN of an ACM certificate.
 *
 * @see https://docs.aws.amazon.com/acm/latest/userguide/acm-overview.html
 */
export const certificateArn: SettingRule<string> = {
  allowed: 'the ARN of an ACM certificate, `arn:aws:acm:<region>:<account>:certificate/<id>`',
  parse: (given) =>
    typeof given === 'string' && /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/.test(given)
      ? given
      : undefined,
};

/** DNS: at most so many characters in a name, and 63 in a part of it. @see https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
const MAX_HOST_NAME = 253;
const HOST_LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** A host name of at least two parts, as it is in a URL: no scheme, no path, no capital letter, no star. */
export const hostName: SettingRule<string> = {
  allowed: 'a host name in lower case, such as `hooks.example.com`',
  parse: (given) => {
    if (typeof given !== 'string' || given.length > MAX_HOST_NAME) return undefined;
    const labels = given.split('.');
    // A last part of digits is an address, not a name.
    const isName =
      labels.length > 1 && labels.every((label) => HOST_LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? '');
    return isName ? given : undefined;
  },
};

/** The longest address that mail is sent to. @see https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1 */
const MAX_EMAIL = 254;

/** One address; whether it is one of somebody, its confirmation shows. */
export const emailAddress: SettingRule<string> = {
  allowed: 'one e-mail address',
  parse: (given) =>
    typeof given === 'string' && given.length <= MAX_EMAIL && /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[a-z0-9-]+$/i.test(given)
      ? given
      : undefined,
};

function numberIn(given: unknown): number | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) ? given : undefined;
  if (typeof given !== 'string' || !/^(0|[1-9]\d{0,14})$/.test(given)) return undefined;
  return Number(given);
}
