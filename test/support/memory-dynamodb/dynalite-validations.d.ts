/**
 * The part of dynalite that this folder uses: its expression parsers, with the service's reserved words and
 * operand rules, behind one function.
 */
declare module 'dynalite/validations/index.js' {
  /**
   * Parses every expression of a request. Returns the service's message when one is refused, and otherwise sets
   * `_condition`, `_filter`, `_keyCondition`, `_updates` and `_projection` on `request`.
   */
  export function validateExpressions(request: Record<string, unknown>): string | undefined;
}
