/** What is wrong with the value of one option; nothing when it is absent. */
export const oneOfProblems = (option: string, value: unknown, allowed: readonly string[]): readonly string[] =>
  value === undefined || allowed.some((one) => one === value)
    ? []
    : [`needs ${option} to be ${allowed.map((one) => `'${one}'`).join(' or ')}, got ${JSON.stringify(value)}`];

/** What is wrong with the value of one option that is a number above 0; nothing when it is absent. */
export const positiveProblems = (option: string, value: unknown): readonly string[] =>
  value === undefined || (typeof value === 'number' && Number.isFinite(value) && value > 0)
    ? []
    : [`needs ${option} to be a number above 0, got ${JSON.stringify(value)}`];
