/**
 * What the operator asked for cannot be done. The message is one line that says why and what to do; it
 * is printed without a stack trace and never holds a secret.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The message of anything thrown, on one line. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
