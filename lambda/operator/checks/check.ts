import { oneLine } from '../refusal.ts';

/** What one look at a deployment found. */
export interface Finding {
  readonly check: string;
  /** `warn`: it works, and somebody should look. `fail`: events are refused, lost or applied twice, or nobody can say. */
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly detail: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, verdict: 'ok', detail });
export const warn = (check: string, detail: string): Finding => ({ check, verdict: 'warn', detail });
export const fail = (check: string, detail: string): Finding => ({ check, verdict: 'fail', detail });

/** Looks, and when that is refused says so and lets the other checks go on. */
export async function look(
  check: string,
  find: () => Promise<readonly Finding[]>,
  whenRefused: (check: string, detail: string) => Finding = fail,
): Promise<readonly Finding[]> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof Error) || !/^(Refusal|OncehookError)$/.test(error.name)) throw error;
    return [whenRefused(check, oneLine(error))];
  }
}
