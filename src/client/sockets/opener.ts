import { request as httpRequest } from 'node:http';
import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import * as tls from 'node:tls';
import { ExitCode, onAbort, SpillwayError } from '../../base/index.ts';
import { failureOf } from '../http/failures.ts';
import type { ProxyAddress, Target } from '../http/target.ts';
import { type BytesListener, type Intake, intakeInto } from './intake.ts';

/** A connected socket, ready for the first byte of a request. */
export interface OpenedSocket {
  readonly socket: Socket;
  /** Counts the sockets of this transport from 1. */
  readonly number: number;
  /** Takes whatever comes from now on, instead of `data` events; for sockets of a transport with a shared read buffer. */
  onBytes(listener: BytesListener): void;
}

export type SocketResult = OpenedSocket | { readonly failure: string };

/**
 * `request`: to the target, or to the proxy that takes absolute-form requests (http targets). `stream`: to the target itself,
 * through a CONNECT tunnel where there is a proxy, because proxies forward no protocol switch (RFC 6455 section 4.1).
 */
export type Purpose = 'request' | 'stream';

/** Whether requests on a pooled socket are written in absolute form (RFC 9112 section 3.2.2). */
export const usesAbsoluteForm = (target: Target): boolean => target.proxy !== undefined && !target.secure;

/** Longer than any healthy handshake; short enough to say within 10 s that a target cannot be reached. */
const LONGEST_OPENING_MS = 8_000;

/** Opens sockets: TCP, the proxy's tunnel, TLS. Knows no HTTP beyond CONNECT, and stamps nothing. */
export class SocketOpener {
  readonly #target: Target;
  readonly #secureContext: tls.SecureContext | undefined;
  readonly #timeoutMs: number;
  readonly #readBuffer: Buffer | undefined;
  readonly #closing = new AbortController();
  #count = 0;

  /**
   * @param options.readBuffer what sockets for requests read into, shared by them all; absent: each read has memory of its own
   * @throws SpillwayError CA_INVALID when `ca` is not PEM
   */
  constructor(
    target: Target,
    options: { readonly ca?: string; readonly deadlineMs: number; readonly readBuffer?: Buffer },
  ) {
    this.#target = target;
    this.#readBuffer = options.readBuffer;
    this.#secureContext = options.ca === undefined ? undefined : trusting(options.ca);
    this.#timeoutMs = Math.min(options.deadlineMs, LONGEST_OPENING_MS);
  }

  /** Never rejects. A failure is an error code of the system or of TLS, or one of ours; `stopped` when it was called off. */
  async open(purpose: Purpose, signal?: AbortSignal): Promise<SocketResult> {
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(), this.#timeoutMs);
    const stop = () => expiry.abort();
    const forget = [onAbort(this.#closing.signal, stop), onAbort(signal, stop)];
    if (this.#closing.signal.aborted || signal?.aborted) stop();
    try {
      const intake = this.#intakeFor(purpose);
      const socket = await this.#connect(purpose, expiry.signal, intake);
      socket.setNoDelay(true);
      // Errors are read from the close that follows; without a listener they would end the process.
      socket.on('error', () => undefined);
      this.#count += 1;
      return { socket, number: this.#count, onBytes: (listener) => listen(socket, intake, listener) };
    } catch (error) {
      if (this.#closing.signal.aborted || signal?.aborted) return { failure: 'stopped' };
      if (error instanceof ProxyRefusal) return { failure: 'proxy-refused' };
      return {
        failure: expiry.signal.aborted ? 'connect-timeout' : failureOf(error, { remoteEnded: true, received: 0 }),
      };
    } finally {
      clearTimeout(timer);
      for (const callOff of forget) callOff();
    }
  }

  /** Calls off what is being opened. */
  close(): void {
    this.#closing.abort();
  }

  /** Only a socket that is connected directly can be told beforehand where to read into. */
  #intakeFor(purpose: Purpose): Intake | undefined {
    const isDirect = purpose === 'request' && this.#target.proxy === undefined;
    return isDirect && this.#readBuffer ? intakeInto(this.#readBuffer) : undefined;
  }

  async #connect(purpose: Purpose, signal: AbortSignal, intake: Intake | undefined): Promise<Socket> {
    const target = this.#target;
    const { proxy } = target;
    if (!proxy) return this.#connectTo(target, signal, intake);
    const toProxy = await this.#connectTo(proxy, signal);
    if (purpose === 'request' && usesAbsoluteForm(target)) return toProxy;
    const tunnel = await tunnelThrough(toProxy, proxy, target, signal);
    return target.secure ? this.#secured(target, signal, tunnel) : tunnel;
  }

  #connectTo(end: Pick<Target, 'host' | 'port' | 'secure'>, signal: AbortSignal, intake?: Intake): Promise<Socket> {
    if (end.secure) return this.#secured(end, signal, undefined, intake);
    const { host, port } = end;
    return connected(tcpConnect({ host, port, keepAlive: true, ...intake?.options }), 'connect', signal);
  }

  #secured(end: Pick<Target, 'host' | 'port'>, signal: AbortSignal, over?: Socket, intake?: Intake): Promise<Socket> {
    const socket = tls.connect({
      ...intake?.options,
      host: end.host,
      port: end.port,
      ALPNProtocols: ['http/1.1'],
      // A server name must not be an address (RFC 6066 section 3).
      ...(isIP(end.host) === 0 ? { servername: end.host } : {}),
      ...(this.#secureContext === undefined ? {} : { secureContext: this.#secureContext }),
      ...(over === undefined ? {} : { socket: over }),
    });
    return connected(socket, 'secureConnect', signal);
  }
}

function listen(socket: Socket, intake: Intake | undefined, listener: BytesListener): void {
  if (intake) intake.listen(listener);
  else socket.on('data', (chunk: Buffer) => listener(chunk, chunk.length));
}

class ProxyRefusal extends Error {}

/** Settles once; destroys the socket on failure and when called off. */
function connected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      socket.off(event, onConnected).off('error', settle).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      if (!error) return resolve(socket);
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const onConnected = () => settle();
    const onClose = () => settle(new Error('closed'));
    const onAbort = () => settle(new Error('called off'));
    socket.once(event, onConnected).once('error', settle).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** CONNECT (RFC 9110 section 9.3.6). Anything but a 2xx is a refusal. */
function tunnelThrough(socket: Socket, proxy: ProxyAddress, target: Target, signal: AbortSignal): Promise<Socket> {
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

/** The system's authorities and the given ones. */
function trusting(ca: string): tls.SecureContext {
  // Node 20 cannot list what NODE_EXTRA_CA_CERTS added; from 22.15 on the default list holds it.
  const system = 'getCACertificates' in tls ? (tls.getCACertificates as () => string[])() : [...tls.rootCertificates];
  const invalid = new SpillwayError(
    'CA_INVALID',
    'the CA file holds no PEM certificate; it must start with -----BEGIN CERTIFICATE-----',
    ExitCode.invalidConfiguration,
  );
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw invalid;
  try {
    return tls.createSecureContext({ ca: [...system, ca] });
  } catch {
    throw invalid;
  }
}
