import type { CapName, Exchange } from '../records.ts';
import { putNumber } from './digits.ts';
import { putBytes } from './put-bytes.ts';

const BEGIN = Buffer.from(',"capWaitUs":{', 'latin1');
const COMMA = 0x2c;
const BRACE = 0x7d;
const NAMES: Readonly<Record<CapName, Buffer>> = {
  pace: Buffer.from('"pace":', 'latin1'),
  token: Buffer.from('"token":', 'latin1'),
  openTurns: Buffer.from('"openTurns":', 'latin1'),
  requestsPerMinute: Buffer.from('"requestsPerMinute":', 'latin1'),
  inFlight: Buffer.from('"inFlight":', 'latin1'),
  connection: Buffer.from('"connection":', 'latin1'),
};

/** Maximum length: all names, each with a number of sixteen digits. */
export const MOST_WAIT_BYTES = 192;

/**
 * Writes the waits of a request as JSON.stringify would, in the order of the record's members. It is optimised because every line
 * has waits if there are more users than connections.
 * @returns the offset after it; −1 if a wait is not an integer ≥ 0
 */
export function putWaits(page: Uint8Array, from: number, waits: NonNullable<Exchange['capWaitUs']>): number {
  let at = putBytes(page, from, BEGIN);
  let isFirst = true;
  for (const name in waits) {
    const waited = waits[name as CapName];
    if (waited === undefined) continue;
    const label = NAMES[name as CapName];
    if (label === undefined || !Number.isSafeInteger(waited) || waited < 0) return -1;
    if (!isFirst) page[at++] = COMMA;
    isFirst = false;
    at = putNumber(page, putBytes(page, at, label), waited);
  }
  page[at] = BRACE;
  return at + 1;
}
