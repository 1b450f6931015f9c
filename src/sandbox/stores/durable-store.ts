import type { SavedClock, Store } from '../store.ts';

/** A store with a file. */
export interface DurableStore extends Store {
  /** Whether there are changes that are not yet in the file. */
  readonly isPending: boolean;
  /**
   * Writes all pending changes atomically. Must be called before an answer that depends on them is sent.
   * @throws ConfigurationError if the file cannot be written
   */
  commit(): void;
  /** The clock of an earlier process; undefined in a new file. */
  readonly clock: SavedClock | undefined;
  saveClock(clock: SavedClock): void;
  /** The credentials of an application that an earlier process has stored. */
  credentialsOf(label: string): SavedCredentials | undefined;
  saveCredentials(label: string, credentials: SavedCredentials): void;
  /** Commits and closes the file; closes it even if it throws. @throws SpillwayError STORE_FAILED if the file cannot be written */
  close(): void;
  /** Closes the file without writing pending changes. */
  abandon(): void;
}

/** Digests of credentials with a random secret, which cannot be guessed from its digest. */
export interface SavedCredentials {
  readonly clientId: string;
  /** Digest of client id, colon and secret. */
  readonly pair: string;
}
