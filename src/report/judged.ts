import type { Summary } from '../collect/index.ts';
import type { VerdictsDocument } from './verdicts-json.ts';

/** A gate as a person is told of it. */
export interface GateShown {
  /** `http_req_duration{operation:sendMessage}`, or `limit.rate`. */
  readonly metric: string;
  /** What is asked of it: `p(95)<300`, `held`. */
  readonly expression: string;
  readonly state: 'pass' | 'fail' | 'undetermined';
  /** A sentence without a full stop, with the numbers. */
  readonly because: string;
  /** It failed, or it is undetermined and that is not allowed. */
  readonly failsRun: boolean;
}

/** What is known of a run beside its records when the exports are made: what was judged of them. */
export interface Judged {
  readonly document: VerdictsDocument;
  /** Asked once, after the last record, since gates are judged by what was measured. Default: the run has none. */
  readonly gates?: () => readonly GateShown[];
  /** Why the numbers are not to be used; `undefined` when they are. Default: never. */
  readonly invalidBecause?: (summary: Summary) => string | undefined;
}
