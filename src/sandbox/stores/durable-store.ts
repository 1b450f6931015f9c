import type { SavedClock, Store } from '../store.ts';

/** A store whose file outlives the process. */
export interface DurableStore extends Store {
  /** Whether something was decided that is not yet in the file. */
  readonly isPending: boolean;
  /**
   * Writes all that is pending, all of it or nothing. What an answer tells must have been committed before it leaves.
   * @throws ConfigurationError when the file cannot be written
   */
  commit(): void;
  /** Where the clock of an earlier process stood; undefined in a new file. */
  readonly clock: SavedClock | undefined;
  saveClock(clock: SavedClock): void;
  /** What an earlier process kept of an application's credentials, by its label. */
  credentialsOf(label: string): SavedCredentials | undefined;
  saveCredentials(label: string, credentials: SavedCredentials): void;
  /** Commits and closes the file, which is closed also where it throws. @throws SpillwayError STORE_FAILED when it cannot be written */
  close(): void;
  /** Closes the file without what is pending. */
  abandon(): void;
}

/** Digests of credentials with a random secret, which nobody can find from them. */
export interface SavedCredentials {
  readonly clientId: string;
  /** Of client id, colon and secret. */
  readonly pair: string;
}
