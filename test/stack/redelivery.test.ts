import { expect, it } from 'vitest';
import { aPreset, aStack, someSources } from './a-stack.ts';

it('a source whose provider never sends again gets a warning, and no other', () => {
  const sources = someSources({ shop: aPreset(), repo: aPreset({ name: 'once', redelivers: false }) });
  const warnings = aStack({ sources }).stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning');

  expect(warnings.map(({ data }) => data)).toEqual([
    expect.stringMatching(
      /Source "repo": once never sends an event again by itself, so an event whose handler fails is lost .* until this stack has an events queue/,
    ),
  ]);
});
