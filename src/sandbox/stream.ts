import type { Micros } from '../base/index.ts';
import { answerOf, piecesOf } from './answers.ts';
import { dateTime, type TimedEvent } from './replies.ts';
import type { TurnRecord } from './store.ts';
import { messageView, turnError } from './views.ts';

/**
 * All events of a turn's stream, in order: queued, processing, the text in pieces spread evenly over the processing time, and the
 * end. A client that connects late gets all past events at once, with their original instants.
 */
export function streamEvents(turn: TurnRecord, seed: number): readonly TimedEvent[] {
  const { acceptedAt, processingAt, finishedAt, outcome } = turn.schedule;
  const told: { at: Micros; type: string; data: object }[] = [
    { at: acceptedAt, type: 'turn.status', data: { status: 'queued' } },
    { at: processingAt, type: 'turn.status', data: { status: 'processing' } },
  ];
  if (outcome === 'completed') {
    const pieces = piecesOf(answerOf(seed, turn.number).text);
    const step = (finishedAt - processingAt) / (pieces.length + 1);
    pieces.forEach((delta, index) => {
      told.push({ at: Math.floor(processingAt + step * (index + 1)) as Micros, type: 'answer.delta', data: { delta } });
    });
    told.push({
      at: finishedAt,
      type: 'turn.completed',
      data: { status: 'completed', message: messageView(turn, seed) },
    });
  } else {
    told.push({ at: finishedAt, type: 'turn.failed', data: { status: 'failed', error: turnError(turn) } });
  }
  return told.map(({ at, type, data }, index) => ({
    at,
    event: { type, turn_id: turn.id, sequence: index + 1, at: dateTime(at), ...data },
  }));
}
