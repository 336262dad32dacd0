import type { Source } from '../authoring/define-sources.ts';
import type { InboundEvent } from '../core/event.ts';
import type { EventRule } from '../core/handler.ts';

/** The rule of the most specific type that has one. */
export const ruleFor = (source: Source, types: InboundEvent['types']): EventRule<never> | undefined =>
  types.map((type) => source.rules.get(type)).find((rule) => rule !== undefined);
