import type { WebSocket } from 'ws';
import type { ApiCall, StreamEnd } from '../api/index.ts';
import { onAbort } from '../base/index.ts';
import { type HandshakeSettings, shakeHands } from './handshake.ts';
import type { SocketOpener, SocketResult } from './sockets/opener.ts';
import { WatchedSocket } from './sockets/watched-socket.ts';
import type { StreamProfile } from './stream-frames.ts';
import { type OpenedStream, type StreamLease, type StreamOptions, unsentReply } from './transport.ts';
import { readTurnStream } from './turn-stream.ts';

export interface StreamSettings extends Omit<HandshakeSettings, 'stream'> {
  readonly opener: SocketOpener;
  /** `null`: the service has no stream, and every opening fails with `no-stream`. */
  readonly stream: StreamProfile | null;
}

/** Opens streams of turns with ws, each on its own socket, and ends them all when the transport closes. */
export class StreamOpener {
  readonly #settings: StreamSettings;
  readonly #sockets = new Set<WatchedSocket['socket']>();
  readonly #stops = new Set<() => void>();
  #closed = false;

  constructor(settings: StreamSettings) {
    this.#settings = settings;
  }

  async acquire(signal?: AbortSignal): Promise<StreamLease | undefined> {
    if (this.#closed || signal?.aborted) return undefined;
    let held: SocketResult | undefined = await this.#socket(signal);
    const release = () => {
      if (held && 'socket' in held) held.socket.destroy();
      held = undefined;
    };
    if (this.#closed || signal?.aborted) {
      release();
      return undefined;
    }
    const open: StreamLease['open'] = async (call, options) => {
      const used = held;
      const { clock, stream } = this.#settings;
      if (!used) throw new Error('a lease opens one stream; acquire another one');
      held = undefined;
      if ('failure' in used) {
        call.onSending?.();
        return { reply: unsentReply(clock.now(), { kind: 'failed', failure: used.failure }) };
      }
      if (stream === null) throw new Error('no socket is opened for a service without a stream');
      return this.#open(new WatchedSocket(used), call, options, stream);
    };
    return { open, release };
  }

  /** Ends every stream (`stopped`) and destroys every socket at once. */
  close(): void {
    this.#closed = true;
    for (const stop of [...this.#stops]) stop();
    for (const socket of [...this.#sockets]) socket.destroy();
  }

  async #socket(signal?: AbortSignal): Promise<SocketResult> {
    const { opener, stream } = this.#settings;
    if (stream === null) return { failure: 'no-stream' };
    const opened = await opener.open('stream', signal);
    if ('socket' in opened) {
      this.#sockets.add(opened.socket);
      opened.socket.once('close', () => this.#sockets.delete(opened.socket));
    }
    return opened;
  }

  async #open(
    watched: WatchedSocket,
    call: ApiCall,
    { onEvent, deadlineAt, signal }: StreamOptions,
    stream: StreamProfile,
  ): Promise<OpenedStream> {
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    this.#stops.add(stop);
    const forgetSignal = onAbort(signal, stop);
    if (signal?.aborted || this.#closed) stop();
    const forget = () => {
      this.#stops.delete(stop);
      forgetSignal();
    };
    const common = { signal: stopping.signal, ...(deadlineAt === undefined ? {} : { deadlineAt }) };
    let ended: Promise<StreamEnd> | undefined;
    const onOpen = (webSocket: WebSocket) => {
      const turn = call.parameters.turn_id;
      const following = { ...common, onEvent, ...(turn === undefined ? {} : { turn }) };
      ended = readTurnStream(webSocket, this.#settings.clock, stream, following).finally(forget);
    };
    try {
      const reply = await shakeHands(watched, { ...this.#settings, stream }, call, { ...common, onOpen });
      return ended === undefined ? { reply } : { reply, ended };
    } catch (error) {
      watched.socket.destroy();
      throw error;
    } finally {
      if (ended === undefined) forget();
    }
  }
}
