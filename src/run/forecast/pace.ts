import type { LoadedScenario } from '../../scenario/index.ts';

/** The window of the specification: whoever declares another one has thought of the scenario's times. */
const MINUTE_MS = 60_000;

/**
 * A note if the times of a scenario are meant for a minute that passes faster or slower than at its target: the embedded sandbox
 * has the clock that the scenario sets, and another service has its own.
 */
export function paceNotes({ scenario, profile }: Pick<LoadedScenario, 'scenario' | 'profile'>): string[] {
  const { clockRate } = scenario.sandbox;
  if (clockRate === 1 || profile.limits.rate.window !== MINUTE_MS) return [];
  const speed = clockRate > 1 ? `${clockRate} times as fast as` : `at ${clockRate} of the speed of`;
  return [
    `the times of this scenario are for a service whose clock runs ${speed} real time (sandbox.clockRate); if this one's does not, bursts before and after a reset miss it: lengthen pauses, gaps and durations in a copy, or let the service have, and the profile declare, a window of ${Math.round(MINUTE_MS / clockRate)}ms`,
  ];
}
