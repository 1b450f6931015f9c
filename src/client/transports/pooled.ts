import type { ApiCall, ApiReply } from '../../api/index.ts';
import type { Clock, Micros } from '../../base/index.ts';
import { type HttpRequest, httpRequestOf } from '../http/request.ts';
import { type Target, targetOf } from '../http/target.ts';
import { onAbort } from '../sockets/on-abort.ts';
import { type OpenedSocket, SocketOpener } from '../sockets/opener.ts';
import { ConnectionPool, type Opened, type Pooled } from '../sockets/pool.ts';
import {
  DEFAULT_MAX_ANSWER_BYTES,
  type Lease,
  type StreamLease,
  type Transport,
  type TransportOptions,
  unsentReply,
} from '../transport.ts';
import { StreamOpener } from '../websocket.ts';

/** What a transport is: a way to send one request on one socket. The pool, leases and streams are the same for all. */
export interface CallConnection extends Pooled {
  /**
   * Sends once and resolves with what came of it. `undefined`: not a byte was written, because the other side had closed the
   * idle socket; the call may go on another one without being a retry.
   */
  send(request: HttpRequest, limits: CallLimits): Promise<ApiReply | undefined>;
}

export interface CallLimits {
  /** Counted from `sentAt`. */
  readonly deadlineUs: Micros;
  /** As `ApiCall.onSending`; not called where `send` resolves with `undefined`. */
  readonly onSending?: () => void;
  readonly signal?: AbortSignal;
}

export interface ConnectionSettings {
  readonly clock: Clock;
  readonly target: Target;
  readonly maxAnswerBytes: number;
}

/** @throws SpillwayError for an unusable address or CA; nothing is opened yet */
export function pooledTransport(
  name: string,
  options: TransportOptions,
  connect: (opened: OpenedSocket, settings: ConnectionSettings) => CallConnection,
): Transport {
  const target = targetOf(options.baseUrl, options.proxy);
  const { clock, ca, profile, maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES } = options;
  const settings: ConnectionSettings = { clock, target, maxAnswerBytes };
  const opener = new SocketOpener(target, { deadlineMs: profile.client.deadline, ...(ca === undefined ? {} : { ca }) });
  const pool = new ConnectionPool<CallConnection>(clock, options.connections, async (signal) => {
    const opened = await opener.open('request', signal);
    return 'failure' in opened ? opened : { connection: connect(opened, settings) };
  });
  const streams = new StreamOpener({ ...settings, opener, stream: profile.stream });
  const transport = new PooledTransport(name, clock, target, pool, opener, streams);
  if (options.signal?.aborted) void transport.close();
  else onAbort(options.signal, () => void transport.close());
  return transport;
}

class PooledTransport implements Transport {
  readonly name: string;
  readonly #clock: Clock;
  readonly #target: Target;
  readonly #pool: ConnectionPool<CallConnection>;
  readonly #opener: SocketOpener;
  readonly #streams: StreamOpener;

  constructor(
    name: string,
    clock: Clock,
    target: Target,
    pool: ConnectionPool<CallConnection>,
    opener: SocketOpener,
    streams: StreamOpener,
  ) {
    this.name = name;
    this.#clock = clock;
    this.#target = target;
    this.#pool = pool;
    this.#opener = opener;
    this.#streams = streams;
  }

  async warmUp(count = Number.POSITIVE_INFINITY) {
    const results = await this.#pool.warmUp(count);
    const failures = results.flatMap((result) => ('failure' in result ? [result.failure] : []));
    return { opened: results.length - failures.length, failures };
  }

  async acquire(signal?: AbortSignal): Promise<Lease | undefined> {
    const lent = await this.#pool.acquire(signal);
    return lent && this.#lease(lent);
  }

  acquireStream(signal?: AbortSignal): Promise<StreamLease | undefined> {
    return this.#streams.acquire(signal);
  }

  send: Transport['send'] = async (call, signal) => {
    const lease = await this.acquire(signal);
    return lease ? lease.send(call, signal) : this.#unsent('stopped', call);
  };

  openStream: Transport['openStream'] = async (call, options) => {
    const lease = await this.acquireStream(options.signal);
    return lease ? lease.open(call, options) : { reply: this.#unsent('stopped', call) };
  };

  async close(): Promise<void> {
    this.#opener.close();
    this.#pool.close();
    this.#streams.close();
  }

  #lease(lent: Opened<CallConnection>): Lease {
    let held: Opened<CallConnection> | undefined = lent;
    const release = () => {
      if (held) this.#pool.release('connection' in held ? held.connection : undefined);
      held = undefined;
    };
    const send: Lease['send'] = async (call, signal) => {
      if (!held) throw new Error('a lease sends one call; acquire another one');
      try {
        const request = httpRequestOf(call, this.#target);
        const { deadlineUs, onSending } = call;
        const limits = { deadlineUs, ...(onSending && { onSending }), ...(signal && { signal }) };
        for (let socketsTried = 1; ; socketsTried++) {
          if (signal?.aborted) return this.#unsent('stopped', call);
          if ('failure' in held) return this.#unsent(held.failure, call);
          const reply: ApiReply | undefined = await held.connection.send(request, limits);
          if (reply) return reply;
          if (socketsTried > 1) return this.#unsent('closed-before-answer', call);
          held = await this.#pool.replace(held.connection, signal);
        }
      } finally {
        release();
      }
    };
    return { send, release };
  }

  #unsent(failure: string, { onSending }: ApiCall): ApiReply {
    onSending?.();
    const outcome =
      failure === 'stopped' ? ({ kind: 'censored', failure } as const) : ({ kind: 'failed', failure } as const);
    return unsentReply(this.#clock.now(), outcome);
  }
}
