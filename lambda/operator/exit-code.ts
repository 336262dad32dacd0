/** What a run of the CLI tells the shell. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT = {
  done: 0,
  /** Bad input, or something that is needed does not answer; what was printed says which. */
  refused: 1,
  /** It was done, and what came back is not what was wanted. */
  unexpected: 2,
} as const;
