import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import * as tls from 'node:tls';
import { onAbort } from '../../base/index.ts';
import { failureOf } from '../http/failures.ts';
import type { Target } from '../http/target.ts';
import { type BytesListener, type Intake, intakeInto } from './intake.ts';
import { type ClientCertificate, secureContextOf } from './secure-context.ts';
import { ProxyRefusal, tunnelThrough } from './tunnel.ts';

/** A connected socket, ready for the first byte of a request. */
export interface OpenedSocket {
  readonly socket: Socket;
  /** Counts the sockets of this transport from 1. */
  readonly number: number;
  /** Receives all further bytes, instead of `data` events; for sockets with a shared read buffer. */
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

/** Longer than any healthy handshake; short enough to report within 10 s that a target cannot be reached. */
const LONGEST_OPENING_MS = 8_000;

/**
 * If a name has several addresses, Node gives each but the last only so long, by default 250 ms, and then gives it up for good. That
 * is less than a distant service may need, and less than TCP's second attempt, which comes after a second if a busy service dropped
 * the first one. A quarter leaves time for the other addresses.
 */
const perAddress = (openingMs: number) => ({
  autoSelectFamilyAttemptTimeout: Math.max(250, Math.floor(openingMs / 4)),
});

/** Opens sockets: TCP, the proxy's tunnel, TLS. Knows no HTTP beyond CONNECT, and stamps nothing. */
export class SocketOpener {
  readonly #target: Target;
  readonly #secureContext: tls.SecureContext | undefined;
  readonly #timeoutMs: number;
  readonly #readBuffer: Buffer | undefined;
  readonly #protocol: 'h2' | undefined;
  readonly #closing = new AbortController();
  #count = 0;

  /**
   * @param options.readBuffer shared buffer into which sockets for requests read; absent: each read allocates
   * @param options.protocol what TLS must negotiate for requests; absent: HTTP/1.1
   * @throws SpillwayError CA_INVALID, CLIENT_CERTIFICATE_INVALID if they are not PEM
   */
  constructor(
    target: Target,
    options: {
      readonly ca?: string | undefined;
      readonly certificate?: ClientCertificate | undefined;
      readonly deadlineMs: number;
      readonly readBuffer?: Buffer | undefined;
      readonly protocol?: 'h2' | undefined;
    },
  ) {
    this.#target = target;
    this.#readBuffer = options.readBuffer;
    this.#protocol = options.protocol;
    this.#secureContext = secureContextOf(options.ca, options.certificate);
    this.#timeoutMs = Math.min(options.deadlineMs, LONGEST_OPENING_MS);
  }

  /** Never rejects. A failure is an error code of the system or of TLS, or one of ours; `stopped` if it was cancelled. */
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
      // The close event that follows has the error; without a listener the error event would end the process.
      socket.on('error', () => undefined);
      this.#count += 1;
      return { socket, number: this.#count, onBytes: (listener) => listen(socket, intake, listener) };
    } catch (error) {
      if (this.#closing.signal.aborted || signal?.aborted) return { failure: 'stopped' };
      if (error instanceof ProxyRefusal) return { failure: 'proxy-refused' };
      if (error instanceof OtherProtocol) return { failure: 'no-http2' };
      return {
        failure: expiry.signal.aborted ? 'connect-timeout' : failureOf(error, { remoteEnded: true, received: 0 }),
      };
    } finally {
      clearTimeout(timer);
      for (const callOff of forget) callOff();
    }
  }

  /** Cancels everything that is being opened. */
  close(): void {
    this.#closing.abort();
  }

  /** Only a directly connected socket can be given its read buffer beforehand. */
  #intakeFor(purpose: Purpose): Intake | undefined {
    const isDirect = purpose === 'request' && this.#target.proxy === undefined;
    return isDirect && this.#readBuffer ? intakeInto(this.#readBuffer) : undefined;
  }

  async #connect(purpose: Purpose, signal: AbortSignal, intake: Intake | undefined): Promise<Socket> {
    const target = this.#target;
    const { proxy } = target;
    const protocol = purpose === 'request' ? this.#protocol : undefined;
    if (!proxy) return this.#connectTo(target, signal, { intake, protocol });
    const toProxy = await this.#connectTo(proxy, signal);
    if (purpose === 'request' && usesAbsoluteForm(target) && protocol === undefined) return toProxy;
    const over = await tunnelThrough(toProxy, proxy, target, signal);
    return target.secure ? this.#secured(target, signal, { over, protocol }) : over;
  }

  #connectTo(end: End, signal: AbortSignal, { intake, protocol }: Way = {}): Promise<Socket> {
    if (end.secure) return this.#secured(end, signal, { intake, protocol });
    const { host, port } = end;
    return connected(
      tcpConnect({ host, port, keepAlive: true, ...perAddress(this.#timeoutMs), ...intake?.options }),
      'connect',
      signal,
    );
  }

  async #secured(end: Omit<End, 'secure'>, signal: AbortSignal, { over, intake, protocol }: Way): Promise<Socket> {
    const socket = tls.connect({
      ...perAddress(this.#timeoutMs),
      ...intake?.options,
      host: end.host,
      port: end.port,
      ALPNProtocols: [protocol ?? 'http/1.1'],
      // A server name must not be an address (RFC 6066 section 3).
      ...(isIP(end.host) === 0 ? { servername: end.host } : {}),
      ...(this.#secureContext === undefined ? {} : { secureContext: this.#secureContext }),
      ...(over === undefined ? {} : { socket: over }),
    });
    await connected(socket, 'secureConnect', signal);
    if (protocol === undefined || socket.alpnProtocol === protocol) return socket;
    socket.destroy();
    throw new OtherProtocol();
  }
}

type End = Pick<Target, 'host' | 'port' | 'secure'>;

/** How a socket is opened if something differs from the default (direct, HTTP/1.1). */
interface Way {
  readonly over?: Socket | undefined;
  readonly intake?: Intake | undefined;
  readonly protocol?: 'h2' | undefined;
}

/** The service continues in HTTP/1.1: it did not accept the requested protocol (RFC 7301 section 3.1). */
class OtherProtocol extends Error {}

function listen(socket: Socket, intake: Intake | undefined, listener: BytesListener): void {
  if (intake) intake.listen(listener);
  else socket.on('data', (chunk: Buffer) => listener(chunk, chunk.length));
}

/** Settles once; destroys the socket on failure and when cancelled. */
function connected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      socket.off(event, onConnected).off('error', settle).off('close', onClose);
      signal.removeEventListener('abort', cancel);
      if (!error) return resolve(socket);
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const onConnected = () => settle();
    const onClose = () => settle(new Error('closed'));
    const cancel = () => settle(new Error('called off'));
    socket.once(event, onConnected).once('error', settle).once('close', onClose);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}
