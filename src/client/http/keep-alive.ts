import type { Micros } from '../../base/index.ts';

/** The other side is assumed to close an idle connection so much earlier than it says, µs: its FIN may be under way. */
const IDLE_MARGIN_US = 1_000_000;

/** After how many seconds the other side will close the idle connection; `undefined` if the Keep-Alive header does not say. */
export function idleSecondsOf(keepAlive: string | undefined): number | undefined {
  const seconds = keepAlive === undefined ? null : /\btimeout=(\d{1,6})\b/i.exec(keepAlive);
  return seconds === null ? undefined : Number(seconds[1]);
}

/** Until when another request may be sent on a connection that answered at `at`. */
export function idleUntil(at: Micros, seconds: number): Micros {
  const us = seconds * 1_000_000;
  return (at + us - Math.min(IDLE_MARGIN_US, us / 2)) as Micros;
}

/**
 * Whether bytes that come while no answer is awaited say that no request came in time (RFC 9110 section 15.5.9). Node's server and
 * HAProxy say so on connections opened in advance, where others only close them.
 */
export const saysIdleTimeout = (bytes: Buffer): boolean => /^HTTP\/1\.[01] 408 /.test(bytes.toString('latin1', 0, 13));
