/** The beginning of a text, at most `max` UTF-16 code units long, without half a character at its end. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const endsInside = (text.codePointAt(max - 1) ?? 0) > 0xffff;
  return text.slice(0, endsInside ? max - 1 : max);
}
