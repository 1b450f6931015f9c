import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { seededRandom } from '../../base/index.ts';
import { rawAnswer, serveRaw } from '../load/raw-requests.ts';

/*
 * A service that records its own times: it delays every message by a random time of 1 to 200 ms and measures from the complete request
 * to the write of the answer. Prints its port. On SIGTERM it writes lines `id took` (microseconds) to the file $STAMPS.
 */

const delays = seededRandom(Number(process.env.SEED ?? 1), 'delays');
const stamps: string[] = [];
const at = '2026-01-01T00:00:00.000Z';

function serveOne(socket: Socket, line: string, body: string): void {
  const receivedMs = performance.now();
  if (!line.includes('/messages')) {
    const token = '{"access_token":"token-1","token_type":"Bearer","expires_in":3600}';
    return void socket.write(rawAnswer('201 Created', token));
  }
  const { client_message_id: id } = JSON.parse(body) as { client_message_id: string };
  const accepted = `{"turn_id":"${id}","conversation_id":"${line.split('/').at(5)}","status":"queued","created_at":"${at}"}`;
  setTimeout(
    () => {
      stamps.push(`${id} ${Math.round((performance.now() - receivedMs) * 1_000)}`);
      socket.write(rawAnswer('202 Accepted', accepted), 'latin1');
    },
    1 + 199 * delays.next(),
  );
}

serveRaw(serveOne);
process.once('SIGTERM', () => {
  writeFileSync(process.env.STAMPS ?? '/dev/null', stamps.join('\n'));
  process.exit(0);
});
