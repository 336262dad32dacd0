/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Measures several variants in turns, so that what else the machine does falls on all of them alike.
 *
 * @returns milliseconds of every round by variant.
 */
export async function inTurns<Name extends string>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(variants) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) times[name].push(await variants[name]());
  }
  return times;
}

/** One line a figure, for people. */
export function report(title: string, lines: readonly (readonly [string, string])[]): void {
  const width = Math.max(...lines.map(([name]) => name.length));
  console.log(`\n${title}`);
  for (const [name, value] of lines) console.log(`  ${name.padEnd(width)}  ${value}`);
}
