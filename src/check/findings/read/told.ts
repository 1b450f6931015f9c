/** One limit according to the fields of an answer; what they do not state is absent. Whole numbers as sent, which may be impossible. */
export interface Told {
  /** The policy's name; empty where the fields have none (X-RateLimit-*). */
  readonly policy: string;
  readonly remaining?: number;
  /** Seconds until more is left. */
  readonly resetSeconds?: number;
  /** q */
  readonly quota?: number;
  /** w, seconds */
  readonly windowSeconds?: number;
  /** qu; absent means requests. */
  readonly unit?: string;
}
