import type { Micros } from '../../base/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import type { Draw } from '../draw.ts';

/** A journal on its way to the judge: what its workers wrote, in that order, and its end. */
export interface Pages {
  readonly body: readonly JournalRecord[];
  /** Absent where nobody wrote it. */
  readonly end?: Extract<JournalRecord, { kind: 'end' }>;
}

/** What may happen to a journal. Of the service's clock nothing gets lost that was told before what is left. */
export type JournalFate = (pages: Pages, draw: Draw) => Pages;

const isTraffic = ({ kind }: JournalRecord) => kind === 'exchange' || kind === 'sent' || kind === 'stream';
const workerOf = (record: JournalRecord) => ('worker' in record ? (record.worker ?? 0) : 0);
const isPart = (lost: (record: JournalRecord, at: number) => boolean) => (record: JournalRecord, at: number) =>
  !isTraffic(record) || !lost(record, at);

/** Fates of journals, by name. */
export const journalFates = {
  whole: (pages) => pages,
  /** Lines here and there. */
  thinned: ({ body, ...pages }, draw) => ({
    ...pages,
    body: body.filter((record) => record.kind !== 'exchange' || !draw.chance(0.05)),
  }),
  /** Exchanges in any order, where other records stand still: the events of a stream follow one another. */
  shuffled: ({ body, ...pages }, draw) => {
    const places = [...body.keys()].filter((i) => body[i]?.kind === 'exchange');
    const mixed = [...body];
    for (let k = places.length - 1; k > 0; k--) {
      const [i, j] = [places[k] as number, places[draw.whole(0, k)] as number];
      [mixed[i], mixed[j]] = [mixed[j] as JournalRecord, mixed[i] as JournalRecord];
    }
    return { ...pages, body: mixed };
  },
  /** The run is killed: what was under way has no end. */
  killed: ({ body }, draw) => ({ body: body.slice(0, draw.whole(0, body.length)) }),
  /** The run is killed, and of each worker the last page was not written yet. */
  unwritten: ({ body }, draw) => {
    const until = [draw.whole(0, body.length), draw.whole(0, body.length)];
    return { body: body.filter(isPart((record, at) => at >= (until[workerOf(record)] ?? 0))) };
  },
  /** A page in the middle is gone. */
  holed: ({ body, ...pages }, draw) => {
    const from = draw.whole(0, body.length);
    const to = from + draw.whole(1, Math.ceil(body.length / 3));
    return { ...pages, body: body.filter(isPart((_, at) => from <= at && at < to)) };
  },
  /** Somebody ends the run before its time: what is under way is given up, and said to be. */
  stopped: ({ body, end }, draw) => {
    const before = body.slice(0, draw.whole(0, body.length));
    const at = before.reduce((latest, record) => Math.max(latest, writtenAt(record)), 0) as Micros;
    const given = body
      .slice(before.length)
      .flatMap((record) => (record.kind === 'exchange' && record.sentAt <= at ? [givenUp(record, at)] : []));
    const all = [...before, ...given];
    const exchanges = all.filter(({ kind }) => kind === 'exchange').length;
    const last = { at, exchanges, streams: opened(all), complete: false, reason: 'interrupted' };
    return { body: all, ...(end && { end: { ...end, ...last } }) };
  },
} as const satisfies Readonly<Record<string, JournalFate>>;

export type FateName = keyof typeof journalFates;

/** How many streams were opened. */
export const opened = (records: readonly JournalRecord[]): number =>
  records.filter((record) => record.kind === 'stream' && record.event === 'opened').length;

/** Run time at which a line was written. */
export const writtenAt = (record: JournalRecord): number =>
  'receivedAt' in record ? record.receivedAt : 'at' in record ? record.at : 0;

/** The same request, when the client did not wait for what came of it. */
function givenUp(exchange: Exchange, at: Micros): Exchange {
  const { kind, seq, worker, operation, application, user, token, conversation, message, resend, turn } = exchange;
  const { arrival, journey, step, attempt, intendedAt, sentAt, bytes } = exchange;
  return {
    ...{ kind, seq, operation, application, user, arrival, journey, step, attempt, intendedAt, sentAt, bytes },
    ...{ receivedAt: at, outcome: 'censored', failure: 'stopped' },
    ...(worker !== undefined && { worker }),
    ...(token !== undefined && { token }),
    ...(conversation !== undefined && { conversation }),
    ...(message !== undefined && { message }),
    ...(resend !== undefined && { resend }),
    ...(operation === 'openStream' && turn && { turn: { id: turn.id } }),
  };
}
