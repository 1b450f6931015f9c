import type { StreamEvent } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { StreamRecord } from '../history/index.ts';
import { shortened } from './answer-seen.ts';
import type { Attempt, Timing } from './attempt.ts';
import { callOf, finish, frameOf } from './conclude.ts';
import { enter } from './enter.ts';
import { issuing } from './exchange.ts';
import { expectedOfEnd } from './expected.ts';
import type { JourneyState } from './journey-state.ts';
import type { Request } from './request.ts';

/** Like `exchangeOnce`, for the handshake of a turn's stream, whose events are recorded as they come. */
export async function openStreamOnce(
  journey: JourneyState,
  request: Request,
  timing: Timing,
  stream: { readonly turn: string; readonly deadlineAt: Micros; readonly onEvent: (event: StreamEvent) => void },
): Promise<Attempt> {
  const entered = await enter(journey, request, issuing(journey, request, timing), (sender, signal) =>
    sender.acquireStream(signal),
  );
  if (entered.kind !== 'entered') return entered;
  const frame = frameOf(journey, request, entered, timing);
  const call = callOf(journey, request, entered, frame);
  const { record, echoes } = journey.world;
  // Events may arrive in one segment with the handshake's answer; the journal keeps the order handshake, opened, events.
  const early: StreamRecord[] = [];
  let opened = false;
  let final: unknown;
  const write = (event: StreamRecord) => void (opened ? record(event) : early.push(event));
  const { reply: received, ended } = await entered.lease.open(call, {
    deadlineAt: stream.deadlineAt,
    signal: journey.stop.abort,
    onEvent: (event) => {
      const { sequence, status } = event;
      write({
        kind: 'stream',
        turn: stream.turn,
        event: event.event,
        at: event.at,
        ...(sequence === undefined ? {} : { sequence }),
        ...(status === undefined ? {} : { status: shortened(echoes.text(call, status)) }),
      });
      if (event.event === 'completed' || event.event === 'failed') final = event.data;
      stream.onEvent(event);
    },
  });
  const reply = echoes.reply(call, received);
  const exchange = finish(journey, request, frame, reply, timing);
  entered.inFlight();
  if (!ended) return { kind: 'sent', reply, exchange, turnFinished: nothing };
  record({ kind: 'stream', turn: stream.turn, event: 'opened', at: reply.receivedAt });
  opened = true;
  for (const event of early) record(event);
  const streamEnd = ended.then((end) => {
    const closed = { kind: 'stream', turn: stream.turn, event: 'closed', at: end.at, reason: end.reason } as const;
    record({ ...closed, ...(end.reason === 'stopped' ? {} : expectedOfEnd(request.expect, exchange, final)) });
    return end;
  });
  return { kind: 'sent', reply, exchange, turnFinished: nothing, streamEnd };
}

const nothing = (): void => undefined;
