import type { ChildProcess } from 'node:child_process';
import { type Clock, ExitCode, type Micros, monotonicNow, SpillwayError } from '../../base/index.ts';
import type { ClockRecord } from '../../history/index.ts';
import {
  BEGIN,
  type ClockMapping,
  type SandboxProcessBegun,
  type SandboxProcessReply,
  type SandboxProcessRequest,
  type SandboxProcessThere,
  type SandboxSettings,
  STILL_THERE,
} from '../../sandbox/index.ts';
import { OUT_OF_FILES } from '../validity.ts';
import { ended, isOver, startProcess } from './child-process.ts';
import type { Target } from './target.ts';

const START_DEADLINE_MS = 10_000;

/**
 * Starts the sandbox in its own process, so that its work is not counted as the generator's.
 * @param onDeath called if that process ends although nobody has closed the target
 * @param tell shows the user that the process had to be killed
 * @throws SpillwayError SANDBOX_FAILED if it does not start
 */
export async function embeddedTarget(
  settings: SandboxSettings,
  onDeath: (error: SpillwayError) => void,
  tell: (text: string) => void,
): Promise<Target> {
  const child = startProcess('#sandbox-process');
  const ready = await ask(child, { ...settings, held: true }, 'ready');
  const died = (code: number | null, signal: NodeJS.Signals | null) =>
    onDeath(failure(`failed in the middle of the run: ${endOf(code, signal)}`));
  child.once('exit', died);
  const credentials = ready.applications.map(
    ({ label, clientId, clientSecret }) => [label, { kind: 'basic', clientId, clientSecret } as const] as const,
  );
  return {
    kind: 'embedded',
    baseUrl: ready.url,
    credentials: new Map(credentials),
    gateway: NO_GATEWAY,
    serviceRate: ready.clock.rate,
    async begin() {
      const begun = await ask(child, BEGIN, 'begun');
      return (clock) => mapClock(clock, begun.clock);
    },
    probe: () => probe(child),
    close() {
      child.off('exit', died);
      return stopChild(child, tell);
    },
  };
}

/** There is no gateway before it. */
const NO_GATEWAY = { headers: {}, secrets: [] };

const failure = (how: string) =>
  new SpillwayError('SANDBOX_FAILED', `the embedded sandbox ${how}`, ExitCode.toolDefect);

function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === null) return `its process exited with ${code}`;
  return `its process was ended by ${signal}${signal === 'SIGKILL' ? ', as where no memory is left' : ''}`;
}

type AnyReply = SandboxProcessReply | SandboxProcessBegun | SandboxProcessThere;
type Reply<Kind> = Extract<AnyReply, { kind: Kind }>;

/**
 * Sends a message and waits for its reply.
 * @throws SpillwayError SANDBOX_FAILED (exit 1) if no reply of that kind comes; the system's own error if too many files are open
 */
function ask<Kind extends 'ready' | 'begun'>(
  child: ChildProcess,
  message: SandboxProcessRequest | typeof BEGIN,
  kind: Kind,
): Promise<Reply<Kind>> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      child.off('error', broke).off('exit', exited).off('message', answered);
      act();
    };
    const fail = (because: string) => settle(() => reject(failure(`did not start: ${because}`)));
    const broke = (error: NodeJS.ErrnoException) =>
      // Not a defect, and explained by the code.
      OUT_OF_FILES.has(error.code) ? settle(() => reject(error)) : fail(error.message);
    const exited = (code: number | null, signal: NodeJS.Signals | null) => fail(endOf(code, signal));
    const answered = (reply: AnyReply) => {
      if (reply.kind === 'failed') fail(reply.message);
      else if (reply.kind === kind) settle(() => resolve(reply as Reply<Kind>));
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`no word within ${START_DEADLINE_MS / 1_000} s`);
    }, START_DEADLINE_MS);
    child.once('error', broke).once('exit', exited).on('message', answered);
    // Without a process there is no channel, and the error event follows.
    if (child.pid !== undefined) child.send(message);
  });
}

/** Both clocks follow CLOCK_MONOTONIC, which the machine's processes share, so the mapping is exact except for the moment of reading. */
function mapClock(clock: Clock, mapping: ClockMapping): ClockRecord {
  const before = clock.now();
  const monotonic = monotonicNow();
  const after = clock.now();
  const serviceUs = Math.round(mapping.serviceUs + (monotonic - mapping.monotonicUs) * mapping.rate) as Micros;
  const plusMinusUs = Math.ceil((after - before + 1) * mapping.rate) as Micros;
  return { kind: 'clock', at: before, serviceUs, plusMinusUs, rate: mapping.rate };
}

const STOP_DEADLINE_MS = 3_000;

/** Resolves with its reply or its end; also after a time-out, since a process that is only delayed has lost nothing. */
function probe(child: ChildProcess): Promise<void> {
  if (isOver(child)) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      child.off('exit', settle).off('message', answered);
      resolve();
    };
    const answered = ({ kind }: AnyReply) => kind === 'there' && settle();
    const timer = setTimeout(settle, STOP_DEADLINE_MS);
    child.once('exit', settle).on('message', answered);
    // If it is about to end, its channel may be closed: then its end is awaited.
    child.send(STILL_THERE, () => undefined);
  });
}

/** The sandbox ends when the channel closes; if it does not, for example because its process was stopped, it is killed by its id. */
async function stopChild(child: ChildProcess, tell: (text: string) => void): Promise<void> {
  if (child.connected) child.disconnect();
  if (await ended(child, STOP_DEADLINE_MS))
    tell(
      `the embedded sandbox did not end within ${STOP_DEADLINE_MS / 1_000} s, so its process (${child.pid}) was killed; what it left unanswered shows that it stood still, or that this machine is overloaded`,
    );
}
