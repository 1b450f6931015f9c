import type { Clock } from '../../base/index.ts';
import { KNOWN_CODINGS } from '../http/content-coding.ts';
import { type Target, targetOf } from '../http/target.ts';
import { type OpenedSocket, SocketOpener } from '../sockets/opener.ts';
import { ConnectionPool } from '../sockets/pool.ts';
import {
  DEFAULT_MAX_ANSWER_BYTES,
  type Lease,
  type StreamLease,
  type Transport,
  type TransportOptions,
} from '../transport.ts';
import { StreamOpener } from '../websocket.ts';
import type { CallConnection } from './call-connection.ts';
import { PooledLease, unsent } from './pooled-lease.ts';

export interface ConnectionSettings {
  readonly clock: Clock;
  readonly target: Target;
  /** Headers that every call sends beside its own; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxAnswerBytes: number;
  /** Called once for each connection on which unrequested bytes arrived. */
  readonly onUnasked: (connection: number) => void;
}

/** What one transport adds to the common part. */
export interface TransportKind {
  readonly name: string;
  /** Shared buffer into which sockets for calls read; absent: each read allocates. */
  readonly readBuffer?: Buffer;
  /** The protocol that TLS must settle on (RFC 7301); default HTTP/1.1, which a service need not name. */
  readonly protocol?: 'h2';
  /** Creates the function that turns sockets into connections, once per transport. */
  readonly connector: (settings: ConnectionSettings) => (opened: OpenedSocket) => CallConnection;
}

/** What all transports have in common: pool, leases and streams. */
export class PooledTransport implements Transport {
  readonly name: string;
  readonly #clock: Clock;
  readonly #pool: ConnectionPool<CallConnection>;
  readonly #opener: SocketOpener;
  readonly #streams: StreamOpener;
  /** Connections on which unrequested bytes arrived, since they were last asked for. */
  #unasked: number[] = [];

  /** @throws SpillwayError for an unusable address or CA; nothing is opened yet */
  constructor({ name, readBuffer, protocol, connector }: TransportKind, options: TransportOptions) {
    const { clock, ca, certificate, profile, maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES } = options;
    const target = targetOf(options.baseUrl, options.proxy);
    const headers = { ...options.headers, ...(profile.client.compression && { 'accept-encoding': KNOWN_CODINGS }) };
    const onUnasked = (connection: number) => void this.#unasked.push(connection);
    const settings: ConnectionSettings = { clock, target, headers, maxAnswerBytes, onUnasked };
    this.name = name;
    this.#clock = clock;
    const opener = new SocketOpener(target, {
      deadlineMs: profile.client.deadline,
      ca,
      certificate,
      readBuffer,
      protocol,
    });
    this.#opener = opener;
    const connect = connector(settings);
    this.#pool = new ConnectionPool(clock, options.connections, async (signal) => {
      const opened = await opener.open('request', signal);
      return 'failure' in opened ? opened : { connection: connect(opened) };
    });
    this.#streams = new StreamOpener({ ...settings, opener, stream: profile.stream });
  }

  async warmUp(signal?: AbortSignal) {
    const results = await this.#pool.warmUp(Number.POSITIVE_INFINITY, signal);
    const failures = results.flatMap((result) => ('failure' in result ? [result.failure] : []));
    return { opened: results.length - failures.length, failures };
  }

  tryAcquire(): Lease | undefined {
    const connection = this.#pool.tryAcquire();
    return connection && new PooledLease(this.#pool, this.#clock, connection, undefined);
  }

  async acquire(signal?: AbortSignal): Promise<Lease | undefined> {
    const lent = await this.#pool.acquire(signal);
    if (!lent) return undefined;
    const [connection, failure] = 'connection' in lent ? [lent.connection, undefined] : [undefined, lent.failure];
    return new PooledLease(this.#pool, this.#clock, connection, failure);
  }

  acquireStream(signal?: AbortSignal): Promise<StreamLease | undefined> {
    return this.#streams.acquire(signal);
  }

  send: Transport['send'] = async (call, signal) => {
    const lease = await this.acquire(signal);
    if (!lease) return unsent(this.#clock, 'stopped', call);
    return new Promise((resolve) => lease.send(call, signal, resolve));
  };

  openStream: Transport['openStream'] = async (call, options) => {
    const lease = await this.acquireStream(options.signal);
    return lease ? lease.open(call, options) : { reply: unsent(this.#clock, 'stopped', call) };
  };

  takeUnasked(): readonly number[] {
    const taken = this.#unasked;
    this.#unasked = [];
    return taken;
  }

  async close(): Promise<void> {
    this.#opener.close();
    this.#pool.close();
    this.#streams.close();
  }
}
