import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { seededRandom } from '../base/index.ts';

/*
 * A service that knows its own times: it holds every message back for a time of its own drawing, 1 to 200 ms, and keeps when it
 * had the whole request and when it handed the answer over. Prints its port; writes `id took` lines (microseconds) into the file
 * $STAMPS when it is told to end.
 */

const delays = seededRandom(Number(process.env.SEED ?? 1), 'delays');
const stamps: string[] = [];
const at = '2026-01-01T00:00:00.000Z';
const answer = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

function serveOne(socket: Socket, line: string, body: string): void {
  const receivedMs = performance.now();
  if (!line.includes('/messages')) {
    const token = '{"access_token":"token-1","token_type":"Bearer","expires_in":3600}';
    return void socket.write(answer('201 Created', token));
  }
  const { client_message_id: id } = JSON.parse(body) as { client_message_id: string };
  const accepted = `{"turn_id":"${id}","conversation_id":"${line.split('/').at(5)}","status":"queued","created_at":"${at}"}`;
  setTimeout(
    () => {
      stamps.push(`${id} ${Math.round((performance.now() - receivedMs) * 1_000)}`);
      socket.write(answer('202 Accepted', accepted), 'latin1');
    },
    1 + 199 * delays.next(),
  );
}

const server = createServer((socket) => {
  let pending = '';
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    pending += chunk.toString('latin1');
    for (let head = pending.indexOf('\r\n\r\n'); head >= 0; head = pending.indexOf('\r\n\r\n')) {
      const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, head))?.[1] ?? 0);
      const end = head + 4 + length;
      if (pending.length < end) return;
      serveOne(socket, pending.slice(0, pending.indexOf('\r\n')), pending.slice(head + 4, end));
      pending = pending.slice(end);
    }
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => {
  writeFileSync(process.env.STAMPS ?? '/dev/null', stamps.join('\n'));
  process.exit(0);
});
