import type { SignedPart } from './scheme.ts';

/**
 * Reads what a sender signs, such as `v0:{timestamp}:{body}`. The placeholders are `{body}`,
 * `{timestamp}` and `{id}`; everything else is signed as it stands.
 *
 * @returns what is wrong with the template as one sentence, when something is.
 */
export function parseSignedTemplate(template: string): readonly SignedPart[] | string {
  const parts: SignedPart[] = [];
  for (const piece of template.split(/(\{[^{}]*\})/).filter((text) => text !== '')) {
    if (piece === '{body}' || piece === '{timestamp}' || piece === '{id}') {
      parts.push(PLACEHOLDERS[piece]);
    } else if (/[{}]/.test(piece)) {
      return `needs signed to use only {body}, {timestamp} and {id}, got ${JSON.stringify(piece)}`;
    } else {
      parts.push({ text: piece });
    }
  }
  const repeated = Object.values(PLACEHOLDERS).find((name) => parts.indexOf(name) !== parts.lastIndexOf(name));
  if (repeated !== undefined) return `needs signed to use {${repeated}} once`;
  return parts.includes('body') ? parts : 'needs signed to contain {body}: a body that is not signed proves nothing';
}

const PLACEHOLDERS = { '{body}': 'body', '{timestamp}': 'timestamp', '{id}': 'id' } as const;
