/** Longer than any name that Oncehook keeps. */
const MAX_SHOWN_CHARACTERS = 400;

/** Text that others wrote, for a terminal: on one line, cut, and nothing in it that moves a cursor. */
export const printable = (text: string): string =>
  text.slice(0, MAX_SHOWN_CHARACTERS).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
