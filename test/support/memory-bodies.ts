import type { BodyStore } from '../../lambda/core/event-ports.ts';

/** A store of bodies in memory, and what is in it by key. */
export function createMemoryBodies(): { readonly bodies: BodyStore; readonly stored: Map<string, Uint8Array> } {
  const stored = new Map<string, Uint8Array>();
  return {
    stored,
    bodies: {
      async put(key, bytes) {
        stored.set(key, bytes);
        return { bucket: 'bodies', key };
      },
      get: async ({ key }) => stored.get(key),
    },
  };
}
