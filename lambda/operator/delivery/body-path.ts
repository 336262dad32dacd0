/** Text or whole number at a path of own fields; blank and everything else count as absent, as in the receiver. */
export function textAt(body: unknown, path: readonly string[]): string | undefined {
  const value = valueAt(body, path);
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined,
    body,
  );
}

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
