import type { GateResult } from '../../gates/index.ts';
import type { VerdictsDocument } from '../../report/index.ts';
import type { PlannedPhases } from '../live/live-state.ts';

/** Whoever watches the end of a long run is told where its report is, instead of waiting for the journal to be read once more. */
export const READ_AGAIN_WITHIN_MS = 3_000;
/** Pages that do not read are not waited for longer than this. */
export const TOLD_WITHIN_MS = 2_000;

/** What a live page needs to know of its run. */
export interface DashboardOpening {
  /** 0: any free one. */
  readonly port: number;
  /** Path of the journal, which need not exist yet. */
  readonly journal: string;
  readonly scenario: string;
  readonly plan: PlannedPhases;
}

/** Messages from a run to the process of its live page. */
export type DashboardRequest =
  | ({ readonly kind: 'open' } & DashboardOpening)
  /** Run time 0, microseconds on the machine's monotonic clock. */
  | { readonly kind: 'began'; readonly monotonicUs: number }
  /** Nothing more is started. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'ended'; readonly ending?: DashboardEnding };

/** The judgement of a run that ended. */
export interface DashboardEnding {
  readonly document: VerdictsDocument;
  readonly gates: readonly GateResult[];
}

/** That process's only reply. */
export type DashboardReply =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly message: string };
