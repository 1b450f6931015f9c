import type { LimitName } from '../../../api/index.ts';
import type { Exchange, Header, ProfileWords, StreamRecord } from '../../../history/index.ts';
import type { ExchangeRef } from '../../certificates/certificate.ts';
import type { Timeline } from '../../evidence/timeline.ts';
import type { RawAttempts } from './ledger.ts';
import type { Decided } from './raw.ts';

export interface RawExchange {
  readonly ref: ExchangeRef;
  readonly exchange: Exchange;
  /** Whether its sequence number occurs more than once. */
  readonly doubted: boolean;
  readonly decided: Decided;
}

/** What a verifier reads. */
export interface RawHistory {
  readonly header: Header;
  readonly words: ProfileWords;
  readonly timeline: Timeline;
  readonly complete: boolean;
  /** See `RawAttempts.withCodes`. */
  readonly withCodes: ReadonlySet<LimitName>;
  /** For certificates of the rate limit. */
  readonly attempts: RawAttempts;
  /** Messages, polls and stream events, if certificates of the other limits need them. */
  readonly exchanges: readonly RawExchange[];
  readonly streams: readonly StreamRecord[];
}
