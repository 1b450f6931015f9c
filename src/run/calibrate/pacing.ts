import type { Micros } from '../../base/index.ts';
import { send } from './send.ts';

/** How precisely a rate was paced. Lags are sentAt − intendedAt minus waits for a connection or a token, in µs. */
export interface Pacing {
  /** Arrivals per second, as planned. */
  readonly rate: number;
  readonly planned: number;
  /** Number of arrivals sent of the planned ones, after the warm-up. */
  readonly sent: number;
  readonly lagP50Us: Micros;
  readonly lagP99Us: Micros;
  readonly lagMaxUs: Micros;
  /** The shortest time in which a second's worth of arrivals left, ms; absent if less than that was measured. */
  readonly fastestSecondMs?: number;
  /** CPU time divided by wall time; near 1 while it waits in turns of the loop. */
  readonly cpuShare: number;
}

/** Nothing that is sent before this instant of the run, µs, is measured. */
const WARM_UP_US = 1_000_000;

/** Sends one request per arrival at a rate, everything recorded. @param seconds of measuring, after a second of warm-up */
export async function paceAt(url: string, rate: number, seconds: number): Promise<Pacing> {
  const lags: number[] = [];
  const sent: number[] = [];
  let before: NodeJS.CpuUsage | undefined;
  await send({
    url,
    load: { model: 'constant-rate', rate: `${rate}/s`, duration: `${WARM_UP_US / 1_000 + seconds * 1_000}ms` },
    messages: 1,
    at: [{ us: WARM_UP_US, act: () => (before = process.cpuUsage()) }],
    onMessage({ intendedAt, sentAt, capWaitUs }) {
      if (intendedAt < WARM_UP_US) return;
      const waited = capWaitUs ? Object.values(capWaitUs).reduce((sum, wait) => sum + wait, 0) : 0;
      lags.push(Math.max(0, sentAt - intendedAt - waited));
      sent.push(sentAt);
    },
  });
  const used = process.cpuUsage(before);
  return { rate, planned: Math.round(rate * seconds), ...pacingOf(rate, lags, sent), cpuShare: shareOf(used, seconds) };
}

const shareOf = ({ user, system }: NodeJS.CpuUsage, seconds: number): number => (user + system) / 1_000_000 / seconds;

/** @param rate arrivals per second @param lags µs @param sent µs of the run; both in any order */
export function pacingOf(
  rate: number,
  lags: readonly number[],
  sent: readonly number[],
): Pick<Pacing, 'sent' | 'lagP50Us' | 'lagP99Us' | 'lagMaxUs' | 'fastestSecondMs'> {
  const sorted = Float64Array.from(lags).sort();
  const at = (share: number) => (sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) as Micros;
  const times = Float64Array.from(sent).sort();
  let fastest = Number.POSITIVE_INFINITY;
  for (let k = rate; k < times.length; k++) fastest = Math.min(fastest, (times[k] ?? 0) - (times[k - rate] ?? 0));
  return {
    sent: sent.length,
    lagP50Us: at(0.5),
    lagP99Us: at(0.99),
    lagMaxUs: at(1),
    ...(fastest === Number.POSITIVE_INFINITY ? {} : { fastestSecondMs: fastest / 1_000 }),
  };
}
