import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sandboxProfile, type TargetProfile } from '../../api/index.ts';
import {
  type Clock,
  ExitCode,
  formatCount,
  freshKey,
  freshUuid,
  listed,
  type Micros,
  realClock,
  SpillwayError,
  whyNotWritten,
} from '../../base/index.ts';
import { type Exchange, type JournalWriter, openJournal } from '../../history/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { type LoadedScenario, type ScenarioInput, ScenarioSchema } from '../../scenario/index.ts';
import { noEchoes, runPlan } from '../../schedule/index.ts';
import { notWritable } from '../disk.ts';
import { keepObjectsYoung } from '../generator/warm-up.ts';
import { worldOf } from '../generator/world.ts';
import { journalHeader } from '../header.ts';
import { stopper } from '../interrupts.ts';
import { openTransport } from '../target/transport.ts';

export const CONNECTIONS = 50;
const CONVERSATION = '00000000-0000-4000-8000-000000000000';

interface SendOptions {
  readonly url: string;
  readonly load: NonNullable<ScenarioInput['load']>;
  /** Messages that each journey sends. */
  readonly messages: number;
  /** When the run is stopped; absent: at the plan's end. */
  readonly stopAtUs?: number;
  /** Called for every message that was answered. */
  readonly onMessage: (exchange: Exchange) => void;
  /** Called at instants of the run, for readings in between. */
  readonly at?: readonly Timed[];
}

/**
 * Sends messages through everything that a run has: scheduler, transport, records, journal on the disk.
 * @throws SpillwayError CALIBRATION_FAILED if one was not answered
 */
export async function send(options: SendOptions): Promise<void> {
  const folder = temporaryFolder();
  try {
    await sendInto(join(folder, 'history.ndjson'), options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its service answers everything at once, so it has ended, or this machine cannot reach itself: such requests measure nothing. */
export const notAnswered = (requests: number): SpillwayError =>
  new SpillwayError(
    'CALIBRATION_FAILED',
    `calibration's own service did not answer ${formatCount(requests)} of the requests, so nothing was measured: calibrate again`,
    ExitCode.toolDefect,
  );

/** @throws SpillwayError RESULTS_NOT_WRITABLE */
function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'spillway-calibration-'));
  } catch (error) {
    const why = whyNotWritten(error);
    throw notWritable(`the journal of a calibration cannot be written: ${why}; name another folder with TMPDIR`, error);
  }
}

async function sendInto(path: string, options: SendOptions): Promise<void> {
  const { url, stopAtUs, onMessage, at = [] } = options;
  keepObjectsYoung();
  const loaded = scenarioOf(options.load, options.messages);
  const clock = realClock();
  const transport = await openTransport(loaded.profile, { baseUrl: url }, clock);
  const journal = openRemoved(path, clock);
  const stopping = stopper();
  const over = new AbortController();
  let unanswered = 0;
  try {
    clock.restart();
    const runId = freshUuid();
    journal.write(journalHeader(loaded, { runId, startedAt: new Date().toISOString(), embedded: false }));
    const world = worldOf({
      loaded,
      target: { credentials: new Map([['a1', CREDENTIALS]]), serviceRate: 1 },
      clock,
      sender: transport,
      // The service and its credentials belong to this command.
      echoes: noEchoes,
      record: (record) => {
        journal.write(record);
        if (record.kind !== 'exchange') return;
        if (record.outcome !== 'answered') unanswered++;
        else if (record.operation === 'sendMessage') onMessage(record);
      },
      announces: () => journal.announces(),
      runId,
      digestKey: freshKey(),
    });
    const stop = stopAtUs !== undefined && { us: stopAtUs, act: () => stopping.stop('deadline', true) };
    const acting = actAt(listed(...at, stop), clock, over.signal);
    await runPlan(compilePlan(loaded.scenario), world, stopping.signals);
    over.abort();
    await acting;
    if (journal.failure) throw journal.failure;
    if (unanswered > 0) throw notAnswered(unanswered);
  } finally {
    over.abort();
    journal.close();
    await transport.close();
  }
}

/** Opens a journal and removes its folder: whatever ends this process, nothing is left behind. Windows removes no open file. */
function openRemoved(path: string, clock: Clock): JournalWriter {
  const journal = openJournal({ path, clock });
  if (process.platform !== 'win32') rmSync(dirname(path), { recursive: true });
  return journal;
}

interface Timed {
  readonly us: number;
  readonly act: () => void;
}

/** Calls each function at its instant of the run, or when `over` is aborted. */
async function actAt(timed: readonly Timed[], clock: Clock, over: AbortSignal): Promise<void> {
  await Promise.all(timed.map(({ us, act }) => clock.sleepUntil(us as Micros, over).then(act)));
}

const CREDENTIALS = { kind: 'basic', clientId: 'calibration', clientSecret: 'calibration' } as const;

function scenarioOf(load: SendOptions['load'], messages: number): LoadedScenario {
  const message = { sendMessage: { message: 'How precisely can you pace?', conversation: CONVERSATION } };
  const steps = messages === 1 ? [message] : [{ repeat: { times: messages, steps: [message] } }];
  const scenario = ScenarioSchema.parse({
    name: 'calibration',
    users: CONNECTIONS,
    journeys: { send: { steps } },
    load,
  });
  return {
    file: 'calibration',
    profileFile: 'calibration',
    scenario,
    profile: profileOf(),
    profileIsDefault: true,
    gates: [],
    gatePlaces: new Map(),
    data: {},
    env: {},
    secrets: {},
    applications: [{ label: 'a1' }],
  };
}

function profileOf(): TargetProfile {
  const profile = sandboxProfile();
  return { ...profile, client: { ...profile.client, connections: CONNECTIONS } };
}
