import type { ApplicationCredentials, SandboxSettings } from '../config.ts';
import type { ClockMapping } from './clock.ts';

/** The parent's first message. Held: the service's clock stands still until the parent says `BEGIN`. */
export type SandboxProcessRequest = SandboxSettings & { readonly held?: boolean };

/** The child's answer to it. */
export type SandboxProcessReply =
  | {
      readonly kind: 'ready';
      readonly url: string;
      readonly port: number;
      readonly applications: readonly ApplicationCredentials[];
      readonly clock: ClockMapping;
    }
  /** The process exits with 1 afterwards. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** The parent's second message, where it holds the clock: from now on it runs. */
export const BEGIN = 'begin';

/** The child's answer to `BEGIN`. */
export interface SandboxProcessBegun {
  readonly kind: 'begun';
  readonly clock: ClockMapping;
}

/** What the parent asks whenever it wants to know that the process has not ended. */
export const STILL_THERE = 'still there?';

/** The child's answer to `STILL_THERE`. */
export interface SandboxProcessThere {
  readonly kind: 'there';
}
