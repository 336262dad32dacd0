import { oneLine } from './problem.ts';
import type { BuiltStack, StackSource } from './synth/stack-source.ts';

/** Something to tell the person who started it. */
export interface Notice {
  readonly kind: 'progress' | 'warning' | 'reloaded' | 'failure';
  readonly text: string;
}

export interface ChangeActions {
  /** Resolves with whether there was anything new. */
  readonly redeploy: (functionKey: string) => Promise<boolean>;
  readonly deploy: (stack: BuiltStack) => Promise<void>;
  readonly onNotice: (notice: Notice) => void;
}

/** Brings changes of the code into what runs, one after the other; returns what ends it. */
export async function followChanges(stack: StackSource, actions: ChangeActions): Promise<() => Promise<void>> {
  const { onNotice } = actions;
  let applying: Promise<unknown> = Promise.resolve();

  /** `change` resolves with what to say of it, if anything. */
  const apply = (change: () => Promise<string | undefined>): void => {
    applying = applying.then(change).then(
      (text) => text !== undefined && onNotice({ kind: 'reloaded', text }),
      (error: unknown) => onNotice({ kind: 'failure', text: oneLine(error) }),
    );
  };

  const endWatch = await stack.watch({
    onCode: (key) => apply(async () => ((await actions.redeploy(key)) ? `${key} has new code` : undefined)),
    onStack: (changed) =>
      apply(async () => {
        await actions.deploy(changed);
        return 'the stack has changed';
      }),
    onFailure: (problem) => onNotice({ kind: 'failure', text: `${problem}; what runs stays as it was` }),
  });
  return async () => {
    await endWatch();
    await applying;
  };
}
