import type { RawData, WebSocket } from 'ws';
import { isSameUuid, type StreamEnd, type StreamEvent } from '../api/index.ts';
import type { Clock, Micros } from '../base/index.ts';
import { onDeadline } from './sockets/deadline.ts';
import { MAX_FRAME_BYTES, readFrame, type StreamProfile, unknownEvent } from './stream-frames.ts';

export interface TurnStreamOptions {
  /** The requested turn; an event that names another one counts as unknown, and not as the end of this one. */
  readonly turn?: string;
  readonly onEvent: (event: StreamEvent) => void;
  readonly deadlineAt?: Micros;
  readonly signal: AbortSignal;
}

const NORMAL_CLOSURE = 1000;

/** ws does not tell how large it was. */
const TOO_LARGE = `stream event of more than ${MAX_FRAME_BYTES / 1024 ** 2} MiB, the most that is read`;

/**
 * Reads an open stream to its end. Pings are answered by ws.
 *
 * | what happens first | reason | the socket |
 * |---|---|---|
 * | an event of the profile's `completed` or `failed` | completed, failed | closed with 1000; later frames are not read |
 * | the other side closes, resets, or breaks the protocol | dropped | gone |
 * | a frame above the bound | dropped, after an unknown event | closed by ws with 1009 |
 * | `deadlineAt` | deadline | destroyed |
 * | the signal | stopped | destroyed |
 */
export function readTurnStream(
  webSocket: WebSocket,
  clock: Clock,
  profile: StreamProfile,
  options: TurnStreamOptions,
): Promise<StreamEnd> {
  return new Promise((resolve) => {
    let ended = false;
    const end = (result: StreamEnd) => {
      if (ended) return;
      ended = true;
      callOffDeadline();
      options.signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const abandon = (reason: 'deadline' | 'stopped') => {
      end({ at: clock.now(), reason });
      webSocket.terminate();
    };
    const stop = () => abandon('stopped');
    const callOffDeadline =
      options.deadlineAt === undefined
        ? () => undefined
        : onDeadline(clock, options.deadlineAt, () => abandon('deadline'));
    webSocket.on('message', (frame: RawData, binary: boolean) => {
      if (ended) return;
      const read = readFrame(Buffer.isBuffer(frame) ? frame : Buffer.alloc(0), binary, clock.now(), profile);
      const event = isOfAnother(options.turn, read.data) ? unknownEvent(read.at, read.data) : read;
      options.onEvent(event);
      if (event.event !== 'completed' && event.event !== 'failed') return;
      end({ at: event.at, reason: event.event });
      webSocket.close(NORMAL_CLOSURE);
    });
    let cause: { because?: string } = {};
    webSocket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') cause = { because: TOO_LARGE };
      if (!ended) options.onEvent(unknownEvent(clock.now()));
    });
    webSocket.once('close', () => end({ at: clock.now(), reason: 'dropped', ...cause }));
    options.signal.addEventListener('abort', stop, { once: true });
    if (options.signal.aborted) stop();
  });
}

function isOfAnother(turn: string | undefined, data: unknown): boolean {
  const named = (data as { turn_id?: unknown } | undefined)?.turn_id;
  return turn !== undefined && typeof named === 'string' && !isSameUuid(named, turn);
}
