import type { StreamEnd, StreamEvent } from '../api/index.ts';
import type { Clock, Micros } from '../base/index.ts';

/** What became of the handshake; why it was not opened stands in its exchange. */
export type StreamOpening =
  | { readonly state: 'opened'; readonly ended: Promise<StreamEnd> }
  | { readonly state: 'unopened' };

export interface StreamingOptions {
  readonly clock: Clock;
  /** Opens the stream and hands every event over. */
  readonly open: (onEvent: (event: StreamEvent) => void) => Promise<StreamOpening>;
  readonly signal: AbortSignal;
}

/** `dropped`: the stream closed before the turn ended. `given-up`: it was never opened. */
export interface StreamingEnd {
  readonly ended: 'completed' | 'failed' | 'dropped' | 'deadline' | 'stopped' | 'given-up';
  readonly at: Micros;
  readonly events: number;
  /** Run time of the first event; absent when none came. */
  readonly firstEventAt?: Micros;
}

/** Follows a turn by its stream. One handshake, no reconnecting: a drop is a result, not a fault to hide. */
export async function followByStream({ clock, open, signal }: StreamingOptions): Promise<StreamingEnd> {
  let events = 0;
  let firstEventAt: Micros | undefined;
  const opening = await open((event) => {
    events += 1;
    firstEventAt ??= event.at;
  });
  if (opening.state === 'unopened') return { ended: signal.aborted ? 'stopped' : 'given-up', at: clock.now(), events };
  const end = await opening.ended;
  return { ended: end.reason, at: end.at, events, ...(firstEventAt === undefined ? {} : { firstEventAt }) };
}
