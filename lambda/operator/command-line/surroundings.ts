import type { Sources } from '../../authoring/define-sources.ts';
import type { Chance, Clock } from '../../core/ports.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Place } from '../deployment/place.ts';
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
  /** @throws Refusal when there is such a file, or it cannot be written. */
  writeNewFile(path: string, bytes: Uint8Array): Promise<void>;
  openSecretStore(place: SecretPlace): Promise<SigningSecretStore>;
  /** @throws Refusal when there is no such stack, or it is none of Oncehook's. */
  openDeployment(place: Place): Promise<Deployment>;
  /** Who works here, for the history of what they change. */
  operatorName(): string;
  /** Runs `work` with a signal that the first Ctrl-C aborts; a second one ends the process at once. */
  untilInterrupted<T>(work: (interruption: AbortSignal) => Promise<T>): Promise<T>;
}
