/** Why a stack is not built, in words for the person who can put it right; one line a problem. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
