import type { StreamEvent } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { StreamRecord } from '../../history/index.ts';
import { nothingTaken } from '../caps/slots.ts';
import type { JourneyState } from '../journeys/journey-state.ts';
import { shortened } from './answer-seen.ts';
import type { Attempt, Timing } from './attempt.ts';
import { callOf, finish, frameOf } from './conclude.ts';
import { enter } from './enter.ts';
import { issuing } from './exchange.ts';
import { expectedOfEnd } from './expected.ts';
import type { Request } from './request.ts';

/** Like `exchangeOnce`, for the handshake of a turn's stream, whose events are recorded as they come. */
export async function openStreamOnce(
  journey: JourneyState,
  request: Request,
  timing: Timing,
  stream: { readonly turn: string; readonly deadlineAt: Micros },
): Promise<Attempt> {
  const issue = issuing(journey, request, timing);
  const entered = await enter({ journey, request, issue, acquire: (sender, signal) => sender.acquireStream(signal) });
  if (entered.kind !== 'entered') return entered;
  const frame = frameOf(journey, request, entered, timing);
  const call = callOf(journey, request, entered, frame);
  const { record, echoes } = journey.world;
  const events = new StreamEvents(stream.turn, record);
  let final: unknown;
  const { reply: received, ended } = await entered.lease.open(call, {
    deadlineAt: stream.deadlineAt,
    signal: journey.stop.abort,
    onEvent: (event) => {
      events.add(event, event.status === undefined ? undefined : shortened(echoes.text(call, event.status)));
      if (event.event === 'completed' || event.event === 'failed') final = event.data;
    },
  });
  const reply = echoes.reply(call, received);
  const exchange = finish(journey, request, frame, reply, timing);
  entered.inFlight();
  if (!ended) return { kind: 'sent', reply, exchange, turnFinished: nothingTaken };
  events.opened(reply.receivedAt);
  const streamEnd = ended.then((end) => {
    const closed = { kind: 'stream', turn: stream.turn, event: 'closed', at: end.at, reason: end.reason } as const;
    record({ ...closed, ...(end.reason === 'stopped' ? {} : expectedOfEnd(request, exchange, final)) });
    return { ...end, final };
  });
  return { kind: 'sent', reply, exchange, turnFinished: nothingTaken, streamEnd };
}

/**
 * Records the events of a stream. They may arrive in one segment with the handshake's answer; the journal keeps the order
 * handshake, opened, events.
 */
class StreamEvents {
  readonly #turn: string;
  readonly #record: (event: StreamRecord) => void;
  /** Those before the handshake was recorded; undefined since then. */
  #early: StreamRecord[] | undefined = [];

  constructor(turn: string, record: (event: StreamRecord) => void) {
    this.#turn = turn;
    this.#record = record;
  }

  /** @param status as it may be recorded */
  add({ event, at, sequence }: StreamEvent, status: string | undefined): void {
    const record: StreamRecord = {
      kind: 'stream',
      turn: this.#turn,
      event,
      at,
      ...(sequence === undefined ? {} : { sequence }),
      ...(status === undefined ? {} : { status }),
    };
    if (this.#early) this.#early.push(record);
    else this.#record(record);
  }

  /** The handshake has been recorded. */
  opened(at: Micros): void {
    this.#record({ kind: 'stream', turn: this.#turn, event: 'opened', at });
    for (const event of this.#early ?? []) this.#record(event);
    this.#early = undefined;
  }
}
