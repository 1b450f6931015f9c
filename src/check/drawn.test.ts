import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../history/index.ts';
import { daySlices } from './days/message-slice.ts';
import { type DrawnKind, drawnJournal, drawnKinds } from './drawn.exam.ts';
import type { Bounds } from './evidence/bounds.ts';
import type { Evidence } from './evidence/evidence.ts';
import { findingsIn } from './findings/finding.exam.ts';
import { judge } from './index.ts';
import { concurrencyCase } from './limits/concurrency.ts';
import { dailyCase } from './limits/daily.ts';
import { foldedOf } from './limits/judging.exam.ts';
import { inScopeOf, labelsOf, partition, type ScopeName, scopeNames } from './limits/scope.ts';
import type { Judged } from './reading.ts';
import { type Every, everyConcurrency, everyDaily } from './readings/every.ts';
import { concurrencyReadings, dailyReadings } from './readings/index.ts';
import { turnSlices } from './slots/turn-slices.ts';
import type { Verdicts } from './verdict.ts';
import { heldAltered, proofsIn } from './verify/altered.exam.ts';
import { stampsOf } from './verify/raw/buckets.ts';
import type { Folded } from './verify.ts';

/*
 * What the judge says of journals drawn at random, and what it takes from them. Whether it may say so is for the trials to tell;
 * that it still says so, for the golden files. Where that is meant to be otherwise, npx vitest run src/check --update, and read
 * the diff.
 */

const JUDGED = 40;
const FOLDED = 150;
/** Of so many of these, what is proven is altered, too. */
const ALTERED = 9;

/** Columns and infinities as they are. */
const plain = (_: string, value: unknown) => {
  if (typeof value === 'number') return String(value);
  return ArrayBuffer.isView(value) ? Array.from(value as Float64Array, String) : value;
};
const digestOf = (value: unknown) => hash('sha256', JSON.stringify(value, plain), 'hex').slice(0, 8);

const known = new Map<string, Verdicts>();

function judged(kind: DrawnKind, seed: number): Verdicts {
  const key = `${Object.values(drawnKinds).indexOf(kind)} ${seed}`;
  const verdicts = known.get(key) ?? judge(drawnJournal(kind, seed));
  known.set(key, verdicts);
  return verdicts;
}

function told(verdicts: Verdicts): string {
  const digest = digestOf(verdicts);
  const limits = verdicts.limits.map((one) =>
    one.verdict === 'violated' ? `${one.limit} violated by ${one.certificate.rule}` : `${one.limit} ${one.verdict}`,
  );
  const { wrongful } = verdicts.refusals;
  return `${limits.join(', ')}; wrongful [${wrongful.map(({ exchange: one }) => one)}]; ${digest}`;
}

const scopes: readonly ScopeName[] = ['application', 'user', 'token', 'conversation'];

function turnsOf({ turns }: Evidence): unknown {
  return [0, 1, 2, 3, 4, 5].map((turn) => [turns.isKnown(turn), turns.finishedAt(turn), turns.sighted(turn)]);
}

/** What each bucket of each scope has, and which of the rows bear its labels. */
function bucketsOf(evidence: Evidence): unknown {
  return scopeNames.map((scope) =>
    partition(evidence, scope, evidence.order).map((rows) => {
      const labels = labelsOf(evidence, scope, rows[0] as number);
      return [labels, rows, [...evidence.order.keys()].filter((row) => inScopeOf(evidence, row, labels))];
    }),
  );
}

/** What the verifier takes from the records, for itself. */
function rivalsOf({ evidence, ledger }: Folded): unknown {
  const refs = new Set([...evidence.order.keys()].map(evidence.refOf));
  const attempts = ledger.finish(stampsOf(evidence), evidence.header, evidence.timeline, refs);
  const bucket = { application: 'a1', user: 'u1', token: 'k1' };
  return [
    [...refs].map((ref) => attempts.attempt(ref)),
    attempts.complete,
    ...['all', 'bearer, replays free', 'sendMessage, invalid free'].map((counts) => {
      const { indexOf: _, ...rivals } = attempts.rivalsOf({ scope: bucket, counts });
      return rivals;
    }),
  ];
}

function takenFrom(records: readonly JournalRecord[]): string {
  const folded = foldedOf(records);
  const { evidence } = folded;
  const { from, to, answer, refusedBy, status, replay, otherContent, doubtful, place, message, turn, order } = evidence;
  const rows = { from, to, answer, refusedBy, status, replay, otherContent, doubtful, place, message, turn, order };
  const parts = {
    rows,
    rest: [evidence.complete, evidence.skipped],
    turns: turnsOf(evidence),
    buckets: bucketsOf(evidence),
    slots: scopes.map((scope) => turnSlices(evidence, scope)),
    days: scopes.map((scope) => daySlices(evidence, scope)),
    rivals: rivalsOf(folded),
    findings: findingsIn(records),
  };
  return Object.entries(parts)
    .map(([name, part]) => `${name} ${digestOf(part)}`)
    .join(', ');
}

const everyDay = [...dailyReadings, everyDaily];
const everySlot = [...concurrencyReadings, everyConcurrency];

/** What each reading says of one bucket, with all its proofs; `-`: it explains everything. */
function saidOf<S extends Judged>(slice: S, bounds: Bounds, readings: readonly Every<S>[]): string[] {
  return readings.map(({ overAdmission, unexplained, wrongfulRefusal }) => {
    const proofs = [...unexplained(slice, bounds)].map((position) => wrongfulRefusal(slice, bounds, position));
    const over = overAdmission(slice, bounds);
    return over || proofs.length > 0 ? JSON.stringify([over, proofs], plain) : '-';
  });
}

const lines = (count: number, lineOf: (seed: number) => string) =>
  `${Array.from({ length: count }, (_, seed) => `${seed}: ${lineOf(seed)}`).join('\n')}\n`;

describe('of journals drawn at random', () => {
  it.each(Object.entries(drawnKinds))('about %s, the judge says what it said', async (name, kind) => {
    const all = lines(JUDGED, (seed) => told(judged(kind, seed)));
    await expect(all).toMatchFileSnapshot(`drawn/${name}.golden`);
  });

  it.each(Object.entries(drawnKinds))('about %s, what it proves holds of what it held', async (name, kind) => {
    const proven = Array.from({ length: JUDGED }, (_, seed) => ({
      seed,
      proofs: proofsIn(judged(kind, seed), seed).filter(({ limit }) => limit === kind.about),
    })).filter(({ proofs }) => proofs.length > 0);
    // The judge has verified the proofs of all others, too.
    const held = proven
      .slice(0, ALTERED)
      .flatMap(({ proofs, seed }) =>
        heldAltered(drawnJournal(kind, seed), proofs, seed).map((one) => `${seed}: ${one}\n`),
      );
    await expect(held.join('')).toMatchFileSnapshot(`drawn/${name}-held.golden`);
  });

  it.each(['slots', 'turns', 'days'] as const)('about %s, its readings say what they said', async (name) => {
    const all = lines(JUDGED, (seed) => {
      const { evidence } = foldedOf(drawnJournal(drawnKinds[name], seed));
      const told = (['application', 'user'] as const).flatMap((scope) =>
        name === 'days'
          ? daySlices(evidence, scope).flatMap((slice) => saidOf(slice, dailyCase(evidence).bounds, everyDay))
          : turnSlices(evidence, scope).flatMap((slice) => saidOf(slice, concurrencyCase(evidence).bounds, everySlot)),
      );
      return `${told.filter((one) => one !== '-').length} of ${told.length}; ${digestOf(told)}`;
    });
    await expect(all).toMatchFileSnapshot(`drawn/${name}-readings.golden`);
  });

  it.each(Object.entries(drawnKinds))('about %s, it takes from them what it took', async (name, kind) => {
    const all = lines(FOLDED, (seed) => takenFrom(drawnJournal(kind, 1_000 + seed)));
    await expect(all).toMatchFileSnapshot(`drawn/${name}-taken.golden`);
  });
});
