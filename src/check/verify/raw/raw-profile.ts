import { parseDuration } from '../../../base/index.ts';
import type { Exchange, Header } from '../../../history/index.ts';
import type { RawExchange, RawHistory } from './raw-history.ts';

/** Attempts with the same key are attempts at one message, according to the client_message_id. */
export function messageKey(header: Pick<Header, 'profile'>, exchange: Exchange): string {
  const { message, conversation, user, application } = exchange;
  const within = withinOf(header);
  const users = [application, user];
  const names = { conversation: [...users, conversation], user: users, application: [application] }[within];
  return JSON.stringify([...names, message?.id]);
}

/** Like `messageKey`; an attempt without a client_message_id is the only one at its message. */
export const keyOf = ({ ref, exchange }: RawExchange, { header }: Pick<RawHistory, 'header'>): string =>
  exchange.message ? messageKey(header, exchange) : `none ${ref}`;

function withinOf({ profile }: Pick<Header, 'profile'>): 'conversation' | 'user' | 'application' {
  const scope = (profile as { idempotency?: { scope?: string } } | null)?.idempotency?.scope;
  return scope === 'user' || scope === 'application' ? scope : 'conversation';
}

interface Settings {
  readonly sameTurn: boolean;
  /**
   * `graceUs`: how long a slot may stay taken after its turn has finished, as declared. `toleranceUs`: the same after it was seen
   * finished, service µs.
   */
  readonly graceUs: number;
  readonly toleranceUs: number;
  /** How long a poll may show a status that the turn has left, µs of the generator's clock. */
  readonly staleUs: number;
}

/** What the profile in the header says, parsed separately. */
export function settingsOf({ header, timeline }: RawHistory): Settings {
  const profile = header.profile as {
    idempotency?: { sameTurn?: boolean };
    limits?: { concurrency?: { releaseGrace?: unknown } };
    turns?: { staleFor?: unknown };
  } | null;
  const graceMs = graceOf(profile?.limits?.concurrency?.releaseGrace);
  const { driftPpm, granularityUs } = header.clock;
  return {
    sameTurn: profile?.idempotency?.sameTurn === true,
    staleUs: staleOf(profile?.turns?.staleFor),
    graceUs: graceMs * 1_000,
    // As long as in the judge: granularity takes longer on a slow clock, too.
    toleranceUs: (graceMs * 1_000 + granularityUs + timeline.stepUs) / (1 - driftPpm / 1e6),
  };
}

/** A resolved profile has milliseconds; an unreadable value may be any duration. */
function graceOf(written: unknown): number {
  if (written === undefined) return 0;
  const ms = typeof written === 'string' ? parseDuration(written) : written;
  return typeof ms === 'number' && ms >= 0 ? ms : Number.POSITIVE_INFINITY;
}

/** A resolved profile has milliseconds; any other value may be any duration. */
function staleOf(ms: unknown): number {
  if (ms === undefined) return 0;
  return typeof ms === 'number' && ms >= 0 ? ms * 1_000 : Number.POSITIVE_INFINITY;
}
