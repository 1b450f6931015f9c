import { formatDuration, plural } from '../../base/index.ts';
import type { OverAdmissionDraft, WrongfulRefusalDraft } from '../certificates/draft.ts';
import { coincident, Enclosing } from '../engines/cores.ts';
import { mostAtOnce, type Spans } from '../engines/counted.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { floatsOf } from '../evidence/columns.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import { isRefusal, Part } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import type { Cores, TurnSlice } from '../slots/turn-slice.ts';

/** A slot is taken from the acceptance of a message until its turn has finished: a waiting turn holds one, too. */
export const acceptedToFinished: Reading<TurnSlice> = {
  name: 'accepted-to-finished',
  numbers: 'slots',
  aliases: ['semaphore'],
  describe: (bounds, whose) =>
    `${slotsOf(bounds)}${whose}, each taken from the acceptance of a message until its turn has finished${graceOf(bounds)}`,
  overAdmission: (slice, { max }) => tooManyAtOnce(slice, slice.open, max) ?? acceptedAmongTooMany(slice, max),
  ...refusals((slice) => slice.from),
};

/** A slot is taken while a turn is in process. Waiting turns hold none, so any number may have been accepted. */
export const processingOnly: Reading<TurnSlice> = {
  name: 'processing-only',
  numbers: 'slots',
  aliases: [],
  describe: (bounds, whose) =>
    `${slotsOf(bounds)}${whose}, each taken while a turn is in process${graceOf(bounds)}; turns that wait take none`,
  overAdmission: (slice, { max }) => tooManyAtOnce(slice, slice.working, max),
  ...refusals((slice) => slice.workFrom),
};

/** For this limit, the window is the time that a slot may stay taken after its turn. */
const graceOf = ({ windowUs }: Bounds): string => (windowUs > 0 ? ` and up to ${formatDuration(windowUs)} after` : '');

/** At some instant strictly inside their cores, more than C turns certainly held a slot (limits.md 5.5). */
function tooManyAtOnce(slice: TurnSlice, cores: Cores, max: number): OverAdmissionDraft | undefined {
  const members = coincident(cores, max + 1);
  return members && draftOf(slice, cores, members, [], max);
}

/**
 * A message was accepted although, at every instant at which that may have happened, C others certainly held a slot. Together
 * with the rule above this is exact: a turn that nobody followed may have taken its slot for an instant only. They are the same C
 * throughout: where one took over from another, C + 1 would hold at once, which is for the rule above.
 */
function acceptedAmongTooMany(slice: TurnSlice, max: number): OverAdmissionDraft | undefined {
  const { open } = slice;
  if (open.size < max) return undefined;
  const enclosing = new Enclosing(open);
  for (let i = 0; i < slice.size; i++) {
    const from = slice.from[i] as number;
    const to = slice.to[i] as number;
    if (slice.part[i] === Part.admitted && enclosing.areThere(from, to, max))
      return draftOf(slice, open, enclosing.of(from, to), [i], max);
  }
  return undefined;
}

/**
 * Lists only what the proof needs: a message may be one too many without being seen afterwards.
 * @param members C + 1 cores that hold at one instant, or the C that hold throughout the acceptance of another message
 */
function draftOf(
  slice: TurnSlice,
  cores: Cores,
  members: readonly number[],
  accepted: readonly number[],
  max: number,
): OverAdmissionDraft {
  const messages = (kept: ReadonlySet<number>) =>
    cores === slice.open ? [...kept].filter((i) => i < slice.size && slice.part[i] === Part.admitted) : [];
  const proves = (kept: ReadonlySet<number>) => {
    const whole = members.filter((core) => cores.proof[core]?.every((position) => kept.has(position)));
    if (whole.length !== max) return whole.length > max;
    const since = whole.reduce((last, core) => Math.max(last, cores.from[core] as number), Number.NEGATIVE_INFINITY);
    const until = whole.reduce((first, core) => Math.min(first, cores.to[core] as number), Number.POSITIVE_INFINITY);
    return messages(kept).some((i) => since < (slice.from[i] as number) && (slice.to[i] as number) < until);
  };
  const kept = new Set([...accepted, ...members.flatMap((core) => cores.proof[core] ?? [])]);
  for (const position of [...kept]) {
    kept.delete(position);
    if (!proves(kept)) kept.add(position);
  }
  const positions = [...kept].sort((a, b) => a - b);
  return { rule: 'concurrency-cores', because: 'over-admission', observed: max + 1, possible: max, positions };
}

/** Refusals at a time when so few turns can have been in process that a slot was free. */
function refusals(
  beginOf: (slice: TurnSlice) => Float64Array,
): Pick<Reading<TurnSlice>, 'unexplained' | 'wrongfulRefusal'> {
  const holdingsOf = holdingsBy(beginOf);
  const mostBeside = (slice: TurnSlice, bounds: Bounds, position: number, enough?: number) => {
    const itself = holds(slice, position) ? 1 : 0;
    const when = { from: slice.from[position] as number, to: slice.to[position] as number };
    return mostAtOnce(holdingsOf(slice, bounds), when, enough === undefined ? enough : enough + itself) - itself;
  };
  return {
    unexplained: (slice, bounds) => {
      // Turns of earlier runs may last for ever: refusals can be judged only if none existed at the start.
      if (!bounds.refusals.provable || !bounds.refusals.flushed) return [];
      const unexplained: number[] = [];
      for (let i = 0; i < slice.size; i++)
        if (isRefusal(slice.part[i]) && mostBeside(slice, bounds, i, bounds.max) < bounds.max) unexplained.push(i);
      return unexplained;
    },
    wrongfulRefusal: (slice, bounds, position) => ({
      rule: 'wrongful-refusal-concurrency',
      because: 'wrongful-refusal',
      refusal: position,
      lookBackUs: bounds.longUs,
      observed: mostBeside(slice, bounds, position),
      needed: bounds.max,
      positions: holdersDuring(slice, bounds, position, beginOf(slice)),
    }),
  };
}

/** When slots of a slice may be taken and given back; remembered, because each of its refusals asks. */
function holdingsBy(beginOf: (slice: TurnSlice) => Float64Array) {
  return rememberedFor((slice: TurnSlice, bounds: Bounds): Spans => {
    const holders: number[] = [];
    for (let i = 0; i < slice.size; i++) if (holds(slice, i)) holders.push(i);
    const [begins, { until }] = [beginOf(slice), slice];
    return {
      starts: floatsOf(holders.length, (i) => begins[holders[i] as number] as number).sort(),
      ends: floatsOf(holders.length, (i) => (until[holders[i] as number] as number) + bounds.longUs).sort(),
    };
  });
}

const holds = (slice: TurnSlice, i: number) => slice.until[i] !== Number.NEGATIVE_INFINITY;

/** Everything that may have held a slot while the refusal was decided, except the refused message itself. */
function holdersDuring(
  slice: TurnSlice,
  { longUs }: Bounds,
  position: number,
  begins: Float64Array,
): WrongfulRefusalDraft['positions'] {
  const from = slice.from[position] as number;
  const to = slice.to[position] as number;
  return [...slice.until.keys()].filter(
    (i) =>
      i !== position && holds(slice, i) && (begins[i] as number) <= to && (slice.until[i] as number) + longUs >= from,
  );
}

const slotsOf = ({ max }: { readonly max: number }): string => plural(max, 'slot');
