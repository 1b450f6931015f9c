import type { Micros } from '../../base/index.ts';
import {
  type ClockRecord,
  type Exchange,
  type Header,
  HISTORY_FORMAT,
  HISTORY_VERSION,
  type JournalRecord,
} from '../../history/index.ts';
import { inOwnWords, type Phase } from '../../testing/history/own-words.ts';
import { type Draw, drawOf } from '../draw.ts';
import { clockRecords, unseenUs } from '../world/clock-told.ts';
import { journalFates, opened, type Pages, writtenAt } from '../world/journal-fates.ts';
import type { Focus } from '../world/knowledge.ts';
import type { World } from '../world/world.ts';
import { People } from './people.ts';
import { makePersons } from './ready.ts';
import { renewTokens } from './renewals.ts';
import { shapes } from './shapes.ts';
import { Stage } from './stage.ts';
import { focusMax, type ScenePart, sceneOf } from './traffic.ts';

/** Useful shapes of traffic, by focus. */
const shapesFor: Readonly<Record<Focus, readonly string[]>> = {
  rate: ['bursts', 'steady', 'closedLoop', 'edges', 'probe'],
  slots: ['chat', 'chat', 'bursts', 'closedLoop', 'steady'],
  days: ['bursts', 'edges', 'closedLoop', 'steady'],
  all: ['chat', 'bursts', 'closedLoop', 'edges'],
};

/** Only scenes with turns can neglect them. */
function shapeFor({ service: { focus }, habits }: World, draw: Draw): string {
  const shape = draw.pick(shapesFor[focus]);
  return habits.neglects && focus !== 'rate' ? 'neglect' : shape;
}

/** What clients have recorded of a scene, before the journal is changed (`journalOf`). */
export interface Played {
  readonly records: readonly JournalRecord[];
  readonly exchanges: number;
  readonly endUs: Micros;
}

/** Plays a world to its end. @returns the journal for the judge */
export const play = (world: World): readonly JournalRecord[] => journalOf(world, perform(world));

/** Plays a scene. The result depends only on the scene. */
export function perform(world: World): Played {
  const stage = new Stage(world);
  const draw = drawOf(world.scene, 'play');
  const { flushed, exclusive } = world.claims;
  const { maxServerDelayUs } = world.network;
  const before = flushed ? 0 : 3 * world.unitUs + maxServerDelayUs;
  // Silence before the start, so that limits that are said to start empty are empty.
  const ready = -before - 3 * Math.max(world.unitUs, world.clock.spanOf(60e6));
  const persons = makePersons(stage, ready);
  const people = new People(stage, persons);
  const requests = Math.min(80, draw.pick([6, 10, 16, 30]) + draw.pick([0, 1, 2]) * focusMax(stage));
  const forever = Number.POSITIVE_INFINITY;
  renewTokens(stage, people);
  const begin = (name: string, part: Omit<ScenePart, 'requests'>) =>
    stage.at(part.fromUs, () => {
      const shape = shapes[shapeFor(world, draw)];
      shape?.(sceneOf(stage, people, name, { ...part, requests }));
    });
  // Requests sent before the run may be decided during the run and count there.
  if (!flushed) begin('before', { fromUs: -before, untilUs: 0, isRecorded: false });
  begin('run', { fromUs: 0, untilUs: forever, isRecorded: true });
  if (!exclusive) begin('others', { fromUs: 0, untilUs: forever, isRecorded: false });
  const endUs = stage.run();
  return { records: stage.notebook.records, exchanges: stage.notebook.exchanges, endUs };
}

/** One of the possible journals of a scene. */
export function journalOf(world: World, played: Played): readonly JournalRecord[] {
  const draw = drawOf(world.seed, 'journal');
  const { body, end } = world.journal.fates.reduce<Pages>(
    (pages, fate) => journalFates[fate](pages, draw),
    writtenBy(world, played),
  );
  const kept = world.journal.isTorn ? [] : body.filter((record): record is Exchange => record.kind === 'exchange');
  const records = [
    headerOf(world, unseenUs(world.clock, kept)),
    ...body.map((record) => withCodesOf(world, record)),
    ...(end ? [end] : []),
  ];
  return inWordsOf(world, records);
}

/** Inserts clock records at their times if answers have no Date. */
function writtenBy({ clock, seed }: World, { records, exchanges, endUs }: Played): Required<Pages> {
  const told = clock.dates ? [] : clockRecords(drawOf(seed, 'clock records'), clock, endUs);
  const body: JournalRecord[] = [];
  let next = 0;
  for (const record of records) {
    while (next < told.length && (told[next] as ClockRecord).at <= writtenAt(record))
      body.push(told[next++] as ClockRecord);
    body.push(record);
  }
  body.push(...told.slice(next));
  const streams = opened(records);
  return { body, end: { kind: 'end', at: endUs, arrivals: 1, exchanges, streams, drops: 0, complete: true } };
}

function withCodesOf({ onlyCode, isRateNameless }: World, record: JournalRecord): JournalRecord {
  if (record.kind !== 'exchange' || record.outcome !== 'refused' || !record.error) return record;
  if (onlyCode !== undefined) return { ...record, error: { ...record.error, code: onlyCode } };
  const { error, ...nameless } = record;
  return isRateNameless && error.code === 'rate_limited' ? nameless : record;
}

/** Where it has words of its own, a turn in process may also show that it waits once more, or that something is still done. */
function inWordsOf({ words, seed, service }: World, records: readonly JournalRecord[]): readonly JournalRecord[] {
  if (!words) return records;
  const draw = drawOf(seed, 'which words');
  const phases: readonly Phase[] = service.waits ? ['processing', 'finalizing'] : ['processing', 'finalizing', 'again'];
  const inPhase = (status: string) => (status === 'processing' && draw.chance(0.4) ? draw.pick(phases) : status);
  const shown = records.map((record): JournalRecord => {
    if (record.kind !== 'exchange' || record.turn?.status === undefined) return record;
    return { ...record, turn: { ...record.turn, status: inPhase(record.turn.status) } };
  });
  return inOwnWords(shown, words, draw.random);
}

/** @param unseenUs error of the clock that the profile must allow for */
function headerOf({ seed, service, clock, network, claims, habits, workers }: World, unseenUs: number): Header {
  const { rate, concurrency, daily } = service.profile.limits;
  const { flushed } = claims;
  return {
    kind: 'header',
    format: HISTORY_FORMAT,
    version: HISTORY_VERSION,
    runId: 'trial',
    startedAt: '2026-01-01T00:00:00.000Z',
    scenario: 'trial',
    seed,
    profile: service.profile,
    gates: {},
    warmUpUs: 0 as Micros,
    limits: {
      rate: { max: rate.max, windowUs: (rate.window * 1_000) as Micros, reading: rate.reading },
      concurrency: { max: concurrency.max },
      daily: { max: daily.max },
    },
    clock: {
      driftPpm: clock.bounds.driftPpm,
      granularityUs: (clock.bounds.granularityUs + unseenUs) as Micros,
      maxServerDelayUs: network.maxServerDelayUs as Micros,
      ...(clock.isEmbedded && { rate: clock.rate }),
    },
    ...(habits.zone !== undefined && { timezones: [habits.zone] }),
    ...(workers > 1 && { workers }),
    exclusive: claims.exclusive,
    flushed: { rate: flushed, concurrency: flushed, daily: flushed },
    // What was open when a run was stopped is recorded, as the run command does.
    tool: 'spillway trials',
    node: process.version,
  };
}
