import type { GateShown, VerdictsDocument } from '../../report/index.ts';
import type { PlannedPhases } from '../live-state.ts';

/** What a run tells the process of its live page. */
export type DashboardRequest =
  | {
      readonly kind: 'open';
      /** 0: any free one. */
      readonly port: number;
      /** The journal, which need not be there yet. */
      readonly journal: string;
      readonly scenario: string;
      readonly plan: PlannedPhases;
    }
  /** Run time 0, microseconds on the machine's monotonic clock. */
  | { readonly kind: 'began'; readonly monotonicUs: number }
  | { readonly kind: 'ended'; readonly ending?: DashboardEnding };

/** What was judged of a run that came to its end. */
export interface DashboardEnding {
  readonly document: VerdictsDocument;
  readonly gates: readonly GateShown[];
}

/** What that process answers, once. */
export type DashboardReply =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly message: string };
