import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Serves a request with an unsupported Upgrade, such as h2c, as an ordinary one: a server may ignore Upgrade (RFC 9110 section
 * 7.8), and the client then continues with HTTP/1.1. Node emits `upgrade` for any such request (from 22.21 on only without a body), with
 * its body unread; so this pushes the request back onto the socket without the upgrade headers and gives the socket to the server again.
 * @param head bytes that were read after the headers
 */
export function serveAsOrdinary(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headerLines(request.rawHeaders), '', ''];
  // Node decodes headers as Latin-1, so this restores the original bytes.
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  // Clears the keep-alive timeout of the last answer, which the server would not clear for a new connection.
  socket.setTimeout(0);
  server.emit('connection', socket);
}

function* headerLines(raw: readonly string[]): Generator<string> {
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]];
    const lower = name.toLowerCase();
    if (lower === 'upgrade') continue;
    if (lower !== 'connection') yield `${name}: ${value}`;
    else {
      const others = value.split(',').filter((option) => option.trim().toLowerCase() !== 'upgrade');
      if (others.length > 0) yield `${name}: ${others.join(',')}`;
    }
  }
}
