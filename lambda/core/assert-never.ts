/** Makes a `switch` over a union fail to compile when a variant is not handled. */
export function assertNever(value: never): never {
  throw new Error(`unhandled variant: ${JSON.stringify(value)}`);
}
