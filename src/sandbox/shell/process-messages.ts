import type { ApplicationCredentials, SandboxSettings } from '../config.ts';
import type { ClockMapping } from './clock.ts';

/** The parent's first message. `held`: the service's clock stands still until the parent sends `BEGIN`; default false. */
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
  /** Afterwards the process exits with code 1. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** The parent's second message: starts a held clock. */
export const BEGIN = 'begin';

/** The child's answer to `BEGIN`. */
export interface SandboxProcessBegun {
  readonly kind: 'begun';
  readonly clock: ClockMapping;
}

/** Sent by the parent to check that the process is alive. */
export const STILL_THERE = 'still there?';

/** The child's answer to `STILL_THERE`. */
export interface SandboxProcessThere {
  readonly kind: 'there';
}
