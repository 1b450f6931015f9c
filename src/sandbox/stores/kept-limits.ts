import { hash } from 'node:crypto';
import type { Micros } from '../../base/index.ts';
import type { LimitChange, SavedLimits } from '../gate/index.ts';
import type { SavedState } from '../limiters/index.ts';
import type { LimitKeeper } from '../store.ts';
import type { PendingRecords } from './pending-records.ts';

/** A limit's state for one key, as kept. */
export interface KeptState {
  readonly limit: string;
  readonly key: string;
  /** A digest of the settings under which it came to be. */
  readonly settings: string;
  readonly state: SavedState;
}

/** Fewer states than this are not worth a cleaning. */
const CLEANED_FROM = 10_000;
const recordKeyOf = ({ limit, key }: Pick<KeptState, 'limit' | 'key'>) => `${limit} ${key}`;
const digestOf = (text: string) => hash('sha256', text).slice(0, 16);

/**
 * Writes down the limits' states key by key as they change. What has ceased to matter is not told, so it is cleaned away
 * whenever twice as much is written down as mattered the last time.
 */
export class KeptLimits implements LimitKeeper {
  readonly #pending: PendingRecords;
  /** What is in the file or on its way there, by the record's key. */
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

  /** Takes out what no longer matters at `now`, once that may be half of it. */
  clean(now: Micros): void {
    if (this.#kept.size < this.#cleanFrom || !this.#save) return;
    const saved = this.#save(now);
    for (const [key, kept] of this.#kept) {
      if (saved[kept.limit]?.[kept.key] === undefined) this.#drop(key);
    }
    this.#cleanFrom = Math.max(CLEANED_FROM, 2 * this.#kept.size);
  }

  #drop(key: string): void {
    this.#kept.delete(key);
    this.#pending.delete('limit', key);
  }
}
