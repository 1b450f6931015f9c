import { createServer, type Socket } from 'node:net';

/**
 * Entry of calibration's service, which runs in its own process. It answers every request at once with as little work as
 * possible, so that the generator is measured. It reports its port to its parent and ends with it.
 */

const HEAD_END = Buffer.from('\r\n\r\n');
const TOKEN = JSON.stringify({ access_token: 'calibration', token_type: 'Bearer', expires_in: 86_400 });
const CONVERSATION = '00000000-0000-4000-8000-000000000000';
let turns = 0;

const answer = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** Token requests are recognized by their path; every other request is answered as an accepted turn. */
function answerTo(head: string): string {
  if (head.includes('/tokens ')) return answer('201 Created', TOKEN);
  const turn = (turns++ % 2 ** 40).toString(16).padStart(12, '0');
  return answer(
    '202 Accepted',
    `{"turn_id":"00000000-0000-4000-8000-${turn}","conversation_id":"${CONVERSATION}","status":"queued"}`,
  );
}

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let answers = '';
    for (let end = rest.indexOf(HEAD_END); end >= 0; end = rest.indexOf(HEAD_END)) {
      const head = rest.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const total = end + HEAD_END.length + length;
      if (rest.length < total) break;
      rest = rest.subarray(total);
      answers += answerTo(head);
    }
    if (answers !== '') socket.write(answers, 'latin1');
  });
}

const server = createServer(serve);
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
