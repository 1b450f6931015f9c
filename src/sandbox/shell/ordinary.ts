import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Serves a request that asks for a protocol which nobody speaks here, such as h2c, as if it had not asked: a server may ignore
 * Upgrade (RFC 9110 section 7.8), and its client then goes on with HTTP/1.1. Node hands a request over, its body unread, as soon
 * as it asks for any protocol at all; so it goes back to where it came from, without the headers that asked.
 * @param head what has been read beyond the headers
 */
export function serveAsOrdinary(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headerLines(request.rawHeaders), '', ''];
  // Headers are read as Latin-1, so that this gives back their very bytes.
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  // That of an idle connection, which began with the last answer; whoever serves it now knows nothing of it.
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
