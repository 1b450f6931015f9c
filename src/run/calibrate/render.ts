import { formatDuration } from '../../base/index.ts';
import type { Calibration } from './index.ts';
import type { Pacing } from './pacing.ts';

/** Pacing this precise does not distort measurements over a network. */
const PRECISE = { p50Us: 50, p99Us: 1_000, fastestSecondMs: 900 } as const;

export const isPrecise = ({ sent, planned, lagP50Us, lagP99Us, fastestSecondMs }: Pacing): boolean =>
  sent >= planned * 0.99 &&
  lagP50Us <= PRECISE.p50Us &&
  lagP99Us <= PRECISE.p99Us &&
  (fastestSecondMs ?? PRECISE.fastestSecondMs) >= PRECISE.fastestSecondMs;

/** The bounds in words; in a second of measuring no second's worth is seen from its beginning to the next. */
const boundsOf = (pacing: readonly Pacing[]): string => {
  const isSeen = pacing.every(({ fastestSecondMs }) => fastestSecondMs !== undefined);
  return `p50 within 0.05 ms, p99 within 1 ms${isSeen ? ", no second's worth in less than 0.9 s" : ''}`;
};

/** The numbers as text, with conclusions. */
export function renderCalibration({ machine, ours, autocannon, pacing }: Calibration): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const capacity = (name: string, { perSecond, perCpuSecond }: Calibration['ours'], what: string) =>
    `  ${name.padEnd(12)} ${whole(perSecond).padStart(8)} a second, ${whole(perCpuSecond).padStart(8)} per second of CPU  ${what}`;
  const row = (cells: readonly string[]) => `  ${cells.map((cell) => cell.padStart(12)).join('')}`;
  const precise = pacing.filter(isPrecise);
  const rates = precise.map(({ rate }) => whole(rate));
  return [
    `${machine.cores} × ${machine.cpu}, ${machine.os} ${machine.kernel}`,
    '',
    'closed loop, 50 connections, one thread, a service on loopback',
    capacity('spillway', ours, 'everything recorded'),
    capacity('autocannon', autocannon, 'nothing recorded'),
    '',
    'pacing: how late requests left',
    row(['rate', 'sent', 'p50', 'p99', 'max', 'fastest s', 'CPU']),
    ...pacing.map((one) =>
      row([
        `${whole(one.rate)}/s`,
        whole(one.sent),
        formatDuration(one.lagP50Us),
        formatDuration(one.lagP99Us),
        formatDuration(one.lagMaxUs),
        one.fastestSecondMs === undefined ? '–' : `${(one.fastestSecondMs / 1_000).toFixed(3)} s`,
        `${Math.round(one.cpuShare * 100)} %`,
      ]),
    ),
    "  fastest s: the shortest time in which a second's worth of requests left; 1 s if none was ahead of its time",
    '',
    precise.length === 0
      ? `No rate was paced precisely (${boundsOf(pacing)}): something else keeps this machine busy, or it is too slow.`
      : `Paced precisely (${boundsOf(precise)}): ${rates.join(', ')} a second.`,
    '',
  ].join('\n');
}
