import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { rawAnswer, serveRaw } from '../load/raw-requests.ts';

/*
 * A service that answers at once and records the arrival of each message, to measure the pacing of any generator in the same way.
 * Prints its port. On SIGTERM it writes the times (microseconds, one per line) to the file $STAMPS.
 */

const MOST_ARRIVALS = 1_000_000;
const came = new Float64Array(MOST_ARRIVALS);
let count = 0;
const at = '2026-01-01T00:00:00.000Z';
const token = rawAnswer('201 Created', '{"access_token":"token-1","token_type":"Bearer","expires_in":3600}');
const id = '0190a1b2-0000-4000-8000-000000000002';

serveRaw((socket, line) => {
  if (!line.includes('/messages')) return void socket.write(token, 'latin1');
  came[count++] = performance.now() * 1_000;
  const accepted = `{"turn_id":"${id}","conversation_id":"${line.split('/').at(5)}","status":"queued","created_at":"${at}"}`;
  socket.write(rawAnswer('202 Accepted', accepted), 'latin1');
});
process.once('SIGTERM', () => {
  writeFileSync(process.env.STAMPS ?? '/dev/null', came.subarray(0, count).join('\n'));
  process.exit(0);
});
