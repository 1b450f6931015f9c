import type { Summary } from '../collect/index.ts';
import type { VerdictsDocument } from './verdicts-json.ts';

/** A gate as a person is told of it. */
export interface GateShown {
  /** What was asked: `http_req_duration{operation:sendMessage}: p(95)<300`. */
  readonly gate: string;
  readonly outcome: 'pass' | 'fail' | 'undetermined';
  /** What was seen, or what is missing: `212 ms of 118 samples`. */
  readonly because: string;
}

/** What is known of a run beside its records when the exports are made: what was judged of them. */
export interface Judged {
  readonly document: VerdictsDocument;
  /** Absent where the run has no gates. */
  readonly gates?: readonly GateShown[];
  /** Why the numbers are not to be used; `undefined` when they are. Default: never. */
  readonly invalidBecause?: (summary: Summary) => string | undefined;
}
