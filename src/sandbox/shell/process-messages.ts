import type { ApplicationCredentials, SandboxSettings } from '../config.ts';
import type { ClockMapping } from './clock.ts';

/** The parent's only message. */
export type SandboxProcessRequest = SandboxSettings;

/** The child's only answer. */
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
