import type { Sources } from '../../authoring/define-sources.ts';
import type { Chance, Clock } from '../../core/ports.ts';
import type { LocalState } from '../local-state.ts';
import type { Post, SigningSecretStore, Terminal } from '../ports.ts';
import type { SecretPlace } from '../secret/choose-secret-place.ts';

/** What the commands run in; each part is opened only by the command that needs it. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly post: Post;
  /** @throws Refusal */
  loadSources(): Promise<Sources>;
  /** `undefined` when no local AWS runs. @throws Refusal */
  readLocalState(): LocalState | undefined;
  /** @throws Refusal */
  readFile(path: string): Promise<Uint8Array>;
  openSecretStore(place: SecretPlace): Promise<SigningSecretStore>;
}
