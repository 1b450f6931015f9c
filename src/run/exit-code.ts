import { ExitCode } from '../base/index.ts';
import type { Summary } from '../collect/index.ts';
import type { GatesDocument } from '../gates/index.ts';
import { NEVER_CHECKED } from '../report/index.ts';
import type { StopReason } from './interrupts.ts';
import { invalidBecause } from './validity.ts';

/** What determines the exit code of a run. */
interface Ending {
  readonly summary: Summary;
  readonly stopped: StopReason | undefined;
  /** What is proven against the service and not accepted by its profile. */
  readonly proven: readonly unknown[];
  readonly gates: Pick<GatesDocument, 'passed'>;
}

/** Design.md section 6: if several conditions hold, the first in this order counts. */
export function exitCodeOf({ summary, stopped, proven, gates }: Ending): ExitCode {
  if (stopped === 'sandbox') return ExitCode.toolDefect;
  if (stopped === 'target' || stopped === 'disk') return ExitCode.targetUnusable;
  if (proven.length > 0) return ExitCode.limitViolated;
  if (stopped === 'interrupted') return ExitCode.interrupted;
  if (invalidBecause(summary) !== undefined) return ExitCode.invalidRun;
  if (stopped === 'gate' || stopped === 'budget') return ExitCode.abortedByGate;
  return failedBecause(summary) !== undefined || !gates.passed ? ExitCode.gateFailed : ExitCode.ok;
}

/** Why a run with usable numbers failed, apart from gates; `undefined` if it did not. "Nothing checked" is not "all met". */
export function failedBecause({ expectations }: Summary): string | undefined {
  if (expectations.unmet > 0) return 'an expectation was not met';
  return expectations.neverChecked ? NEVER_CHECKED : undefined;
}
