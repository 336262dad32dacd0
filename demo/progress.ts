const WIDTH = 30;

/**
 * Says how far a long run has come, until the result is called: on a terminal one line that changes,
 * elsewhere a line every five seconds.
 */
export function startProgress(
  look: () => { readonly done: number; readonly of: number; readonly note: string },
): () => void {
  const isTerminal = process.stdout.isTTY === true;
  const show = (): void => {
    const { done, of, note } = look();
    const filled = Math.round((WIDTH * done) / of);
    const line = `[${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${done}/${of} copies settled, ${note}`;
    process.stdout.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  };
  const timer = setInterval(show, isTerminal ? 250 : 5000);
  return () => {
    clearInterval(timer);
    show();
    if (isTerminal) process.stdout.write('\n');
  };
}
