import type { Micros, Random } from '../../base/index.ts';
import { type Header, HISTORY_FORMAT, HISTORY_VERSION, type JournalRecord } from '../../history/index.ts';
import { drawOf } from '../draw.ts';
import type { Focus } from '../world/service.ts';
import type { World } from '../world/world.ts';
import { People } from './people.ts';
import { makePersons } from './ready.ts';
import { shapes } from './shapes.ts';
import { Stage } from './stage.ts';
import { focusMax, sceneOf } from './traffic.ts';

/** Shapes worth their time, by focus. */
const shapesFor: Readonly<Record<Focus, readonly string[]>> = {
  rate: ['bursts', 'steady', 'closedLoop', 'edges', 'probe'],
  slots: ['chat', 'chat', 'bursts', 'closedLoop', 'steady'],
  days: ['bursts', 'edges', 'closedLoop', 'steady'],
  all: ['chat', 'bursts', 'closedLoop', 'edges'],
};

/** What clients saw of a scene, whatever becomes of it on its way to a judge. */
export interface Played {
  readonly records: readonly JournalRecord[];
  readonly exchanges: number;
  readonly endUs: Micros;
}

/** Plays a world to its end. @returns the journal that a judge gets */
export const play = (world: World): readonly JournalRecord[] => journalOf(world, perform(world));

/** Depends on the scene alone. */
export function perform(world: World): Played {
  const stage = new Stage(world);
  const draw = drawOf(world.scene, 'play');
  const { flushed, exclusive } = world.claims;
  const { maxServerDelayUs } = world.network;
  const before = flushed ? 0 : 3 * world.unitUs + maxServerDelayUs;
  // Two windows of silence, whatever the window, before what is said to begin with empty ones.
  const ready = -before - 3 * Math.max(world.unitUs, world.clock.runAt(60e6) - world.clock.runAt(0));
  const persons = makePersons(stage, ready);
  const people = new People(stage, persons);
  const requests = Math.min(80, draw.pick([6, 10, 16, 30]) + draw.pick([0, 1, 2]) * focusMax(stage));
  const forever = Number.POSITIVE_INFINITY;
  const begin = (name: string, fromUs: number, untilUs: number, isRecorded: boolean) =>
    stage.at(fromUs, () => {
      const shape = shapes[draw.pick(shapesFor[world.service.focus])];
      shape?.(sceneOf(stage, people, name, { fromUs, untilUs, isRecorded, requests }));
    });
  // What was sent before may be decided within the run, and counts there.
  if (!flushed) begin('before', -before, 0, false);
  begin('run', 0, forever, true);
  if (!exclusive) begin('others', 0, forever, false);
  const endUs = stage.run();
  return { records: stage.records, exchanges: stage.exchanges, endUs };
}

/** One of the journals that a scene may leave. */
export function journalOf(world: World, { records, exchanges, endUs }: Played): readonly JournalRecord[] {
  const { lost, isShuffled } = world.journal;
  const draw = drawOf(world.seed, 'journal');
  const kept = lost > 0 ? records.filter((record) => record.kind !== 'exchange' || !draw.chance(lost)) : records;
  const header = headerOf(world);
  const clocks = world.clock.records(endUs, drawOf(world.seed, 'clock records'));
  const body = [...clocks, ...kept.map((record) => withOnlyCode(record, world.onlyCode))];
  if (isShuffled) shuffle(body, draw.random);
  return [header, ...body, { kind: 'end', at: endUs, arrivals: 1, exchanges, streams: 0, drops: 0, complete: true }];
}

function withOnlyCode(record: JournalRecord, code: string | undefined): JournalRecord {
  if (code === undefined || record.kind !== 'exchange' || record.outcome !== 'refused' || !record.error) return record;
  return { ...record, error: { ...record.error, code } };
}

/** Exchanges in any order, where other records stand still: the events of a stream follow one another. */
function shuffle(records: JournalRecord[], random: Random): void {
  const places = [...records.keys()].filter((i) => records[i]?.kind === 'exchange');
  for (let k = places.length - 1; k > 0; k--) {
    const [i, j] = [places[k] as number, places[random.integer(k + 1)] as number];
    [records[i], records[j]] = [records[j] as JournalRecord, records[i] as JournalRecord];
  }
}

function headerOf({ seed, service, clock, network, claims }: World): Header {
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
    clock: { ...clock.bounds, maxServerDelayUs: network.maxServerDelayUs as Micros },
    exclusive: claims.exclusive,
    flushed: { rate: flushed, concurrency: flushed, daily: flushed },
    tool: 'trials',
    node: process.version,
  };
}
