import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * Serves HTTP/1.1 requests on bare sockets with as little work as possible, and prints its port.
 * @param serveOne called with the request line and the body of each complete request
 */
export function serveRaw(serveOne: (socket: Socket, line: string, body: string) => void): void {
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
}

/** An answer with an ASCII JSON body. */
export const rawAnswer = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
