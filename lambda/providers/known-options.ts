import { OncehookError } from '../core/errors.ts';

/**
 * Names what is wrong with the shape of a preset's options. Values are never quoted: the
 * likeliest mistake is a signing secret where options are due.
 *
 * @returns one sentence per problem, empty when there is none.
 */
export function findUnknownOptions(options: unknown, known: readonly string[]): readonly string[] {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return [`takes an object of options, got ${options === null ? 'null' : typeof options}. ${WHERE_SECRETS_GO}`];
  }
  const expected = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  return Object.keys(options)
    .filter((option) => !known.includes(option))
    .map((option) => `does not know the option ${JSON.stringify(option)}; ${expected}. ${whereItGoes(option)}`.trim());
}

/**
 * Refuses options that a preset does not have, so that a misspelt one cannot be overlooked.
 *
 * @throws OncehookError `CONFIG_INVALID`.
 */
export function refuseUnknownOptions(preset: string, options: unknown, known: readonly string[]): void {
  refuseProblems(preset, findUnknownOptions(options, known));
}

/** @throws OncehookError `CONFIG_INVALID` that names all problems, when there are any. */
export function refuseProblems(preset: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const message = problems.map((problem) => `${preset}() ${problem}`).join('; ');
  throw new OncehookError('CONFIG_INVALID', message, { retryable: false });
}

const WHERE_SECRETS_GO = 'Secrets are set with `oncehook secret set`, never in code.';

function whereItGoes(option: string): string {
  if (/secret|key|token/i.test(option)) return WHERE_SECRETS_GO;
  return option === 'toleranceSeconds' ? 'It is an option of the source.' : '';
}
