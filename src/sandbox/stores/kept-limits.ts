import { hash } from 'node:crypto';
import type { Micros } from '../../base/index.ts';
import type { LimitChange, SavedLimits } from '../gate/index.ts';
import type { SavedState } from '../limiters/index.ts';
import type { LimitKeeper } from '../store.ts';
import type { PendingRecords } from './pending-records.ts';

/** A stored state of one key of a limit. */
export interface KeptState {
  readonly limit: string;
  readonly key: string;
  /** Digest of the settings under which the state was created. */
  readonly settings: string;
  readonly state: SavedState;
}

/** Below this number of states, nothing is cleaned up. */
const CLEANED_FROM = 10_000;
const recordKeyOf = ({ limit, key }: Pick<KeptState, 'limit' | 'key'>) => `${limit} ${key}`;
const digestOf = (text: string) => hash('sha256', text).slice(0, 16);

/**
 * Stores the states of limits as they change. Limiters do not report expired states, so obsolete states are cleaned up whenever
 * twice as many are stored as after the last cleanup.
 */
export class KeptLimits implements LimitKeeper {
  readonly #pending: PendingRecords;
  /** The states in the file or pending, by record key. */
  readonly #kept = new Map<string, KeptState>();
  #settings: ReadonlyMap<string, string> = new Map();
  #save: ((now: Micros) => SavedLimits) | undefined;
  #cleanFrom = CLEANED_FROM;

  constructor(pending: PendingRecords, kept: Iterable<KeptState>) {
    this.#pending = pending;
    for (const each of kept) this.#kept.set(recordKeyOf(each), each);
  }

  saved(settings: Readonly<Record<string, string>>): SavedLimits {
    this.#settings = new Map(Object.entries(settings).map(([limit, text]) => [limit, digestOf(text)]));
    const limits = new Map<string, [string, SavedState][]>();
    for (const [recordKey, { limit, key, settings: under, state }] of this.#kept) {
      if (under !== this.#settings.get(limit)) this.#drop(recordKey);
      else {
        const states = limits.get(limit) ?? [];
        states.push([key, state]);
        limits.set(limit, states);
      }
    }
    return Object.fromEntries([...limits].map(([limit, states]) => [limit, Object.fromEntries(states)]));
  }

  changed({ limit, key, state }: LimitChange): void {
    const kept: KeptState = { limit, key, settings: this.#settings.get(limit) ?? '', state };
    const recordKey = recordKeyOf(kept);
    this.#kept.set(recordKey, kept);
    this.#pending.put('limit', recordKey, () => kept);
  }

  compactWith(save: (now: Micros) => SavedLimits): void {
    this.#save = save;
  }

  /** Drops states that are no longer relevant at `now`, once they may be half of all. */
  clean(now: Micros): void {
    if (this.#kept.size < this.#cleanFrom || !this.#save) return;
    const saved = this.#save(now);
    for (const [key, kept] of this.#kept) {
      if (!Object.hasOwn(saved[kept.limit] ?? {}, kept.key)) this.#drop(key);
    }
    this.#cleanFrom = Math.max(CLEANED_FROM, 2 * this.#kept.size);
  }

  #drop(key: string): void {
    this.#kept.delete(key);
    this.#pending.delete('limit', key);
  }
}
