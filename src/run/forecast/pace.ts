import { formatDuration, microsFromMillis } from '../../base/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';

/** The window of the specification: whoever declares another one has thought of the scenario's times. */
const MINUTE_MS = 60_000;

/**
 * A note if the times of a scenario are meant for a minute that passes faster or slower than at its target: the embedded sandbox
 * has the clock that the scenario sets, and another service has its own. Nothing is done about it unasked: a scenario may have times
 * for a real service beside a fast sandbox.
 */
export function paceNotes({ scenario, profile }: Pick<LoadedScenario, 'scenario' | 'profile'>): string[] {
  const { deadline, sandbox } = scenario;
  const { clockRate } = sandbox;
  if (clockRate === 1 || profile.limits.rate.window !== MINUTE_MS) return [];
  const speed = clockRate > 1 ? `${clockRate} times as fast as` : `at ${clockRate} of the speed of`;
  return [
    `the times of this scenario are for a service whose clock runs ${speed} real time (sandbox.clockRate); if this one's does not, bursts before and after a reset miss it: add --real-time, which multiplies them by ${clockRate}${latest(deadline && deadline * clockRate)}, or let the service have, and the profile declare, a window of ${Math.round(MINUTE_MS / clockRate)}ms`,
  ];
}

/** What `--real-time` has done. @param factor what the times of the scenario were multiplied by */
export function realTimeNotes({ scenario }: Pick<LoadedScenario, 'scenario'>, factor: number): string[] {
  return [
    factor === 1
      ? '--real-time changes nothing: the times of this scenario are for real time already (sandbox.clockRate is 1)'
      : `--real-time multiplies the times of this scenario by ${factor}, its sandbox.clockRate${latest(scenario.deadline)}`,
  ];
}

const latest = (deadlineMs: number | undefined): string =>
  deadlineMs === undefined
    ? ''
    : ` (its deadline ends the run after ${formatDuration(microsFromMillis(deadlineMs))} at the latest)`;
