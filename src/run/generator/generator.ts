import type { Clock, Micros, SpillwayError } from '../../base/index.ts';
import type { Transport } from '../../client/index.ts';
import type { JournalRecord, JournalWriter } from '../../history/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import type { World } from '../../schedule/index.ts';
import { echoGuard, echoOptions } from '../secrets/echo-guard.ts';
import type { Target } from '../target/target.ts';
import { connectionQueue } from './connection-queue.ts';
import { type DebugSink, debugSender } from './debug-sender.ts';
import { type OneOfSeveral, type Recorder, recorder } from './recorder.ts';
import { worldOf } from './world.ts';

/** What a generator is made from: a thread that runs a plan, or a part of it, over sockets. */
interface GeneratorParts extends Pick<World, 'runId' | 'digestKey' | 'budget'> {
  readonly loaded: LoadedScenario;
  readonly target: Omit<Target, 'begin' | 'probe' | 'close'>;
  readonly clock: Clock;
  readonly transport: Transport;
  /** How long it took to open the transport's sockets. */
  readonly openedUs: Micros;
  readonly journal: JournalWriter;
  /** Called with every record after it was written. */
  readonly onRecord: (record: JournalRecord) => void;
  /** Called if the target turns out to be unusable. */
  readonly onUnusable: (error: SpillwayError) => void;
  /** Shows each exchange; absent: nothing is shown. */
  readonly debug?: DebugSink | undefined;
  /** Set if this generator is one of several workers. */
  readonly among?: OneOfSeveral;
}

interface Generator {
  readonly world: World;
  readonly records: Recorder;
}

export function generatorOf(parts: GeneratorParts): Generator {
  const { loaded, target, clock, transport, debug, among } = parts;
  const echoes = echoGuard(target.credentials.values(), echoOptions(loaded, target));
  const queue = connectionQueue(
    debug === undefined ? transport : debugSender(transport, debug, { loaded, target, echoes }),
  );
  const records = recorder({
    journal: parts.journal,
    baseUrl: target.baseUrl,
    followsDate: target.kind === 'remote',
    profile: loaded.profile,
    clock,
    openedUs: parts.openedUs,
    onRecord: parts.onRecord,
    scenario: loaded.scenario,
    longestQueue: queue.takeLongest,
    takeUnasked: () => transport.takeUnasked(),
    onUnusable: parts.onUnusable,
    among,
  });
  const world = worldOf({
    loaded,
    target,
    clock,
    sender: queue.sender,
    echoes,
    record: records.record,
    announces: records.announces,
    runId: parts.runId,
    digestKey: parts.digestKey,
    budget: parts.budget,
    tokenMemory: among?.tokenMemory,
  });
  return { world, records };
}
