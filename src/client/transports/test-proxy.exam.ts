import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface TestProxy {
  readonly url: string;
  /** `CONNECT host:port` or `GET http://…`, with its Proxy-Authorization, in order. */
  readonly seen: { readonly what: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** A forward proxy for absolute-form requests and CONNECT tunnels; `refuse` answers every CONNECT with 403. */
export async function testProxy({ refuse = false } = {}): Promise<TestProxy> {
  const seen: TestProxy['seen'] = [];
  const note = (what: string, headers: { readonly 'proxy-authorization'?: string | undefined }) => {
    seen.push({ what, authorization: headers['proxy-authorization'] });
  };
  const server = createServer((incoming, outgoing) => {
    note(`${incoming.method} ${incoming.url}`, incoming.headers);
    const onward = httpRequest(incoming.url ?? '', { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket, head) => {
    note(`CONNECT ${incoming.url}`, incoming.headers);
    if (refuse) return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    const [host = '', port = ''] = (incoming.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
