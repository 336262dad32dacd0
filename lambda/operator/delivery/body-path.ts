/** Writes a value at a path and makes the objects on the way to it. */
export function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  const own = Object.hasOwn(target, name) ? target[name] : undefined;
  const inner = isRecord(own) ? own : {};
  if (rest.length > 0) setAt(inner, rest, value);
  Object.defineProperty(target, name, {
    value: rest.length === 0 ? value : inner,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
