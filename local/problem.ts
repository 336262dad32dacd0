/**
 * Something a person can put right: the message is one line that says what is wrong and
 * what to do. It is printed without a stack trace.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The message of anything thrown, on one line. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
