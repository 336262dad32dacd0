import type { Template } from '../template/template.ts';
import type { SourceDescription } from './sources.ts';

/** A synthesized stack and the sources it was made for. */
export interface BuiltStack {
  readonly template: Template;
  readonly sources: readonly SourceDescription[];
}

/** What a change of the code leads to. */
export interface StackListener {
  /** A function has a new bundle in its folder. */
  onCode(functionKey: string): void;
  /** The template or the sources have changed. */
  onStack(stack: BuiltStack): void;
  /** A change does not build; what runs goes on as it is. `problem` is one line or a few. */
  onFailure(problem: string): void;
}

/** Where the stack comes from. */
export interface StackSource {
  /** @throws Problem when it does not build. */
  build(): Promise<BuiltStack>;
  /** Reports changes from now on. Call it after {@link StackSource.build}; returns what ends it. */
  watch(listener: StackListener): Promise<() => Promise<void>>;
}
