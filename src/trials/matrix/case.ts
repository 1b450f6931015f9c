import type { Day, DefectId, RateAlgorithm } from '../../api/index.ts';
import { ConfigurationError, type Micros, seededRandom, type VirtualClock } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { runVirtually, type VirtualRunOptions } from '../../run/forecast/virtual-run.ts';
import { stopper } from '../../run/interrupts.ts';
import { sandboxSettings } from '../../run/target/target.ts';
import { withAssumptions } from '../../sandbox/defects/index.ts';
import { type SandboxConfig, settle } from '../../sandbox/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import type { Sender } from '../../schedule/index.ts';

/** One shipped scenario against one service, in virtual time. */
export interface Case {
  readonly loaded: LoadedScenario;
  readonly settings: Settings;
  /** The settings with every default filled in. */
  readonly config: SandboxConfig;
}

/** The service of a case: a sandbox with a defect, or a correct one with some algorithm or kind of day. */
type Kind = { readonly defect: DefectId } | Honest;
export interface Honest {
  readonly algorithm?: RateAlgorithm;
  readonly day?: Day;
}

export type Settings = VirtualRunOptions['settings'];

/** Fixed, so that a case always gives the same records. Nothing here is secret. */
const DIGEST_KEY = Buffer.alloc(32, 7);

/** Start of scenarios without a time. Far from midnight, so that no day ends unless the scenario waits for it. */
const START = '2026-01-15T09:00:00Z';

/** @returns the case, or why the defect cannot occur, for example because the scenario lacks the limit that it breaks */
export function caseOf(loaded: LoadedScenario, kind: Kind): Case | { readonly lacks: string } {
  try {
    const settings = settingsOf(loaded, kind);
    return { loaded, settings, config: settle(settings) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { lacks: error.problems.map(({ message }) => message).join('; ') };
    throw error;
  }
}

export function settingsOf(loaded: LoadedScenario, kind: Kind): Settings {
  const { scenario } = loaded;
  const { startTime = START } = scenario.sandbox;
  const sandbox = { ...scenario.sandbox, ...('defect' in kind && { defects: [kind.defect] }) };
  const settings = {
    ...sandboxSettings({ ...loaded, scenario: { ...scenario, sandbox } }),
    startTime,
  } as Settings;
  return 'defect' in kind ? settings : honestSettings(settings, kind);
}

/** The settings of the twin, which differs only in the defect: it also has what the defect needs to show, such as an algorithm. */
export const twinOf = (settings: Settings): Settings => ({ ...(withAssumptions(settings) as Settings), defects: [] });

/** The scenario's limits with another algorithm or kind of day. */
function honestSettings(settings: Settings, { algorithm, day }: Honest): Settings {
  const { rate = [], daily = [], ...limits } = settings.limits ?? {};
  const each = (written: unknown, more: object) => [written].flat().map((limit) => ({ ...(limit as object), ...more }));
  return {
    ...settings,
    limits: {
      ...limits,
      rate: each(rate, algorithm ? { algorithm } : {}),
      daily: each(daily, day ? { day } : {}),
    },
  } as Settings;
}

/** Network delays of a nearby service: 0.2 to 2 ms each way. */
function neighbouring(seed: number): () => readonly [Micros, Micros] {
  const random = seededRandom(seed, 'kill matrix', 'network');
  const way = () => Math.round(200 + random.next() * 1_800) as Micros;
  return () => [way(), way()];
}

/** Delay before each request, so that a request never leaves at the same instant as the answer before it. */
const MOMENT_US = 40;

function deliberate(sender: Sender, clock: VirtualClock): Sender {
  const moment = () => clock.sleepUntil((clock.now() + MOMENT_US) as Micros);
  return {
    tryAcquire: () => undefined,
    acquire: (signal) => moment().then(() => sender.acquire(signal)),
    acquireStream: (signal) => moment().then(() => sender.acquireStream(signal)),
  };
}

/** Plays a scenario in virtual time over a fast network. */
export async function playAgainst(loaded: LoadedScenario, settings: Settings): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  const stopping = stopper();
  const { counts, durationUs } = await runVirtually({
    loaded,
    plan: compilePlan(loaded.scenario),
    settings,
    digestKey: DIGEST_KEY,
    embedded: true,
    delayUs: neighbouring(loaded.scenario.seed),
    wrap: deliberate,
    record: (record) => records.push(record),
    stop: (clock) => {
      const { deadline } = loaded.scenario;
      if (deadline !== undefined)
        void clock
          .sleepUntil((deadline * 1_000) as Micros, stopping.signals.abort)
          .then(() => stopping.stop('deadline'));
      return stopping.signals;
    },
  });
  return [...records, endOf(records, counts, durationUs, stopping.reason !== undefined)];
}

function endOf(
  records: readonly JournalRecord[],
  { arrivals, drops }: { readonly arrivals: number; readonly drops: number },
  at: Micros,
  stopped: boolean,
): JournalRecord {
  const count = (isOne: (record: JournalRecord) => boolean) => records.filter(isOne).length;
  return {
    kind: 'end',
    at,
    arrivals,
    drops,
    exchanges: count(({ kind }) => kind === 'exchange'),
    streams: count((record) => record.kind === 'stream' && record.event === 'opened'),
    complete: !stopped,
    ...(stopped && { reason: 'deadline' }),
  };
}
