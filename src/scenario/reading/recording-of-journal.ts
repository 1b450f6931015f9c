import { formatCount, plural } from '../../base/index.ts';
import { forEachLine } from './lines.ts';
import { found, type RecordingResult, refused } from './recorded-times.ts';

/**
 * The intended times of all arrivals of a run, from records of journeys and drops; in older journals, whose journeys have no time,
 * from the first request. Torn lines and other records are skipped; if an arrival is lost with them, the journal is refused. Runs
 * that were stopped early are refused: their remaining arrivals share one record without single times, or are missing if the run
 * was killed, so a replay would be a different load.
 */
export function recordingOfJournal(journal: string, file: string): RecordingResult {
  const told = new Map<number, number>();
  const requested = new Map<number, number>();
  let leftOver = 0;
  let end: Line | undefined;
  forEachLine(journal, (line) => {
    const record = parsed(line);
    const { kind, arrival, intendedAt, count } = record;
    if (kind === 'end') end = record;
    if (typeof arrival !== 'number' || typeof intendedAt !== 'number') return;
    if (kind === 'drop' && typeof count === 'number') leftOver += count;
    else if (kind === 'drop' || kind === 'journey') told.set(arrival, intendedAt);
    else if (kind === 'exchange')
      requested.set(arrival, Math.min(intendedAt, requested.get(arrival) ?? Number.POSITIVE_INFINITY));
  });
  const times = new Map([...requested, ...told]);
  const hint = 'replay a run that completed, or run the scenario itself with the seed of that run';
  if (!end && times.size > 0)
    return refused(
      file,
      'belongs to a run that was killed or is still running: its journal has no end record, so arrivals may be missing',
      hint,
    );
  const stopped = 'belongs to a run that was stopped early';
  if (leftOver > 0)
    return refused(
      file,
      `${stopped}: the times of ${formatCount(leftOver)} of its ${plural(times.size + leftOver, 'arrival')} are not recorded`,
      hint,
    );
  if (isCut(end)) return refused(file, `${stopped}: the arrivals that it did not reach are not recorded`, hint);
  if (typeof end?.arrivals === 'number' && end.arrivals !== times.size)
    return refused(
      file,
      `is damaged: it names ${formatCount(times.size)} of the ${plural(end.arrivals, 'arrival')} that its end record counts`,
      'replay a journal that is whole',
    );
  return found([...times.values()], file, 'arrivals', 'name the journal of a run that sent something');
}

/** Whether the run ended early for another reason than its planned deadline. */
const isCut = (end: Line | undefined): boolean => end?.complete === false && end.reason !== 'deadline';

type Line = {
  readonly [member in 'kind' | 'arrival' | 'arrivals' | 'intendedAt' | 'count' | 'complete' | 'reason']?: unknown;
};

function parsed(line: string): Line {
  try {
    return (JSON.parse(line) as object | null) ?? {};
  } catch {
    return {};
  }
}
