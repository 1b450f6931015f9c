import type { Draw } from '../draw.ts';

/** What a world puts to the test: its numbers are small there, and out of reach elsewhere; in `all` they are small everywhere. */
export const focuses = ['rate', 'slots', 'days', 'all'] as const;
export type Focus = (typeof focuses)[number];

/** What a profile knows of its service; where it does not know, it says so. */
export interface Knowledge {
  readonly draw: Draw;
  /** Whether it declares readings. */
  readonly declares: boolean;
  /** Whether it maps error codes to limits, and whether it says that each is used for one alone. */
  readonly tells: boolean;
  readonly knowsCodes: boolean;
  /** Whether it knows that a gateway keeps the rate limit, whose refusals have no code. */
  readonly isRateNameless: boolean;
}
