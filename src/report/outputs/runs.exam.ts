import type { JournalRecord } from '../../history/index.ts';
import { end, header, exchange as read, us } from '../../testing/history/sample-records.ts';
import { hostileRun } from '../exporters/hostile-run.exam.ts';
import { censoredRun, emptyRun, sampleRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import type { JudgedRun } from './output.ts';

/** 41 requests at once, which no reading of 20 per minute admits. */
export const violatedRun: readonly JournalRecord[] = [
  header(),
  ...Array.from({ length: 41 }, (_, seq) => read({ seq, conversation: 'c1', token: 't1', sentAt: us(seq * 1_000) })),
  end({ exchanges: 41, at: us(100_000) }),
];

export const HOSTILE =
  '<script>alert(1)</script>|`x`![a](http://e.vil)@all #1 \u001b[31m::error::pwned\n::set-output name=x::y\r##[error]z & "q" \ufffe \ud800 %0A';

/** Hostile text in all fields that come from outside. */
export function hostile(): JudgedRun {
  const run = judgedRun(hostileRun);
  const examples = Array.from({ length: 10 }, (_, seq) => ({
    seq,
    operation: 'readTurn' as const,
    sentence: `${seq} ${HOSTILE}`,
  }));
  const gate = { metric: HOSTILE, expression: HOSTILE, because: HOSTILE, failsRun: true } as const;
  return {
    ...run,
    summary: {
      ...run.summary,
      run: {
        ...run.summary.run,
        scenario: HOSTILE,
        target: HOSTILE,
        runId: HOSTILE,
        incompleteBecause: HOSTILE,
        complete: false,
        invalid: HOSTILE,
      },
      expectations: { checked: 30, unmet: 20, examples },
    },
    verdicts: {
      ...run.verdicts,
      proven: [...Array.from({ length: 12 }, (_, i) => ({ violation: `${i}${HOSTILE}`, claim: HOSTILE }))],
      accepted: [{ violation: 'rate', claim: HOSTILE, reason: HOSTILE }],
    },
    gates: {
      ...run.gates,
      gates: [...run.gates.gates, { ...gate, state: 'fail' }, { ...gate, state: 'undetermined' }],
    },
  };
}

/** Every kind of run that outputs must handle. */
export const runs: Readonly<Record<string, () => JudgedRun>> = {
  empty: () => judgedRun(emptyRun),
  censored: () => judgedRun(censoredRun),
  hostile,
  sample: () => judgedRun(sampleRun),
  violated: () => judgedRun(violatedRun),
};
