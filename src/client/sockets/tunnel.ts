import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { ProxyAddress, Target } from '../http/target.ts';

/** A proxy answered CONNECT with something else than a 2xx. */
export class ProxyRefusal extends Error {}

/** CONNECT (RFC 9110 section 9.3.6). Anything but a 2xx is a refusal. */
export function tunnelThrough(
  socket: Socket,
  proxy: ProxyAddress,
  target: Target,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      signal.removeEventListener('abort', onAbort);
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const onAbort = () => fail(new Error('called off'));
    signal.addEventListener('abort', onAbort, { once: true });
    const headers = {
      host: authority,
      ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
    };
    const request = httpRequest({ method: 'CONNECT', path: authority, headers, createConnection: () => socket });
    request.once('error', fail);
    request.once('response', () => fail(new ProxyRefusal()));
    request.once('connect', (response, tunnel, head) => {
      request.off('error', fail);
      if ((response.statusCode ?? 0) < 200 || (response.statusCode ?? 0) > 299) return fail(new ProxyRefusal());
      signal.removeEventListener('abort', onAbort);
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel as Socket);
    });
    request.end();
  });
}
