import type { World } from './worlds.exam.ts';

const MINUTE = 60_000_000;
const DAY = 24 * 60 * MINUTE;

/** What a simulated service has counted of each day, of whatever kind its days are. */
export class DayQuota {
  readonly #world: World;
  readonly #charges = new Map<string, number[]>();
  readonly #anchors = new Map<string, { at: number; count: number }>();

  constructor(world: World) {
    this.#world = world;
  }

  /** `now`: service time, as in all that follows. */
  hasRoom(bucket: string, token: number, now: number): boolean {
    const { quota, faults } = this.#world;
    return this.#used(bucket, token, now) < quota + (faults.extraQuota ?? 0);
  }

  charge(bucket: string, token: number, now: number): void {
    for (const key of [bucket, `${bucket} all`, this.#dayKey(bucket, token, now)])
      this.#charges.set(key, [...(this.#charges.get(key) ?? []), now]);
    const anchor = this.#anchors.get(bucket);
    if (anchor && now < anchor.at + DAY) anchor.count += 1;
    else this.#anchors.set(bucket, { at: now, count: 1 });
  }

  #used(bucket: string, token: number, now: number): number {
    const { day, faults } = this.#world;
    if (faults.neverResets) return (this.#charges.get(`${bucket} all`) ?? []).length;
    if (day === 'rolling') return (this.#charges.get(bucket) ?? []).filter((at) => at > now - DAY).length;
    if (day === 'first-use') {
      const anchor = this.#anchors.get(bucket);
      return anchor && now < anchor.at + DAY ? anchor.count : 0;
    }
    return (this.#charges.get(this.#dayKey(bucket, token, now)) ?? []).length;
  }

  #dayKey(bucket: string, token: number, now: number): string {
    const { day, zones } = this.#world;
    const zone = day === 'utc' ? 0 : (zones[token % zones.length] ?? 0);
    if (typeof zone === 'number') return `${bucket} ${Math.floor((now + zone * MINUTE) / DAY)}`;
    return `${bucket} ${new Date(Math.floor(now / 1_000)).toLocaleDateString('sv-SE', { timeZone: zone })}`;
  }
}
