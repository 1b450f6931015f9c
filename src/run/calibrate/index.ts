import { ExitCode, formatCount, SpillwayError, toolVersion } from '../../base/index.ts';
import type { RunFacts } from '../../report/index.ts';
import { machineFacts } from '../machine.ts';
import { openFilesFor, openFilesLimit } from '../target/open-files.ts';
import { type Capacity, ourCapacity, peerCapacity } from './capacity.ts';
import { startLoopback } from './loopback.ts';
import { type Pacing, paceAt } from './pacing.ts';
import { CONNECTIONS } from './send.ts';

export const CALIBRATION_FORMAT = 'spillway-calibration';
export const CALIBRATION_VERSION = 1;

/** What this machine can generate, and how precisely it can pace. */
export interface Calibration {
  readonly format: typeof CALIBRATION_FORMAT;
  readonly version: typeof CALIBRATION_VERSION;
  readonly tool: string;
  readonly machine: RunFacts['machine'];
  /** One thread, closed loop, everything recorded. */
  readonly ours: Capacity;
  /** autocannon in the same setting, which records nothing: a cross-check. */
  readonly autocannon: Capacity;
  /** In the order of the rates. */
  readonly pacing: readonly Pacing[];
}

export const CALIBRATION_RATES = [100, 1_000, 5_000, 10_000] as const;

interface CalibrateOptions {
  /** Of each measurement, after its warm-up. */
  readonly seconds: number;
  readonly rates: readonly number[];
  /** Called with what is measured next. */
  readonly tell: (what: string) => void;
}

/** @throws SpillwayError before anything is measured */
function requireOpenFiles(): void {
  const needed = openFilesFor(CONNECTIONS);
  const limit = openFilesLimit();
  if (needed <= limit) return;
  throw new SpillwayError(
    'TOO_FEW_OPEN_FILES',
    `calibrating needs about ${formatCount(needed)} open files, and the system allows ${formatCount(limit)}; raise the limit (ulimit -n ${needed})`,
    ExitCode.invalidConfiguration,
  );
}

/**
 * Measures against its own service on loopback, in another process: on a machine with one core the two share it. Takes about
 * 2 × (seconds + 3) + rates × (seconds + 1) s.
 */
export async function calibrate({ seconds, rates, tell }: CalibrateOptions): Promise<Calibration> {
  requireOpenFiles();
  const loopback = await startLoopback();
  try {
    tell('capacity');
    const ours = await ourCapacity(loopback.url, seconds);
    tell("autocannon's capacity");
    const autocannon = await peerCapacity(loopback.url, seconds);
    const pacing: Pacing[] = [];
    for (const rate of rates) {
      tell(`pacing at ${rate} a second`);
      pacing.push(await paceAt(loopback.url, rate, seconds));
    }
    return {
      format: CALIBRATION_FORMAT,
      version: CALIBRATION_VERSION,
      tool: `spillway ${toolVersion}`,
      machine: machineFacts(),
      ours,
      autocannon,
      pacing,
    };
  } finally {
    await loopback.close();
  }
}
