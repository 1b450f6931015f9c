import type { Exchange } from '../../history/index.ts';
import type { Results } from '../../testing/results.ts';
import { of } from './shipped-run.exam.ts';

/* What a run's own records say of a machine that was too slow for the times of its scenario. */

/** The service's day in UTC. */
export const dayOf = (exchange: Exchange | undefined): string =>
  new Date(exchange?.date ?? Number.NaN).toISOString().slice(0, 10);

/**
 * An hour of the service is a second of the machine. If that needs a dozen seconds more than the pauses, instead of one, the first pause
 * ends past midnight.
 */
export const missedTheDay = ({ exchanges, summary }: Results): boolean =>
  summary().run.durationUs > 30_000_000 &&
  of(exchanges, 'sendMessage').filter((exchange) => dayOf(exchange) > '2026-01-15').length > 1;

/** How long the service lets a token of `token-churn` live, in the run's time. */
const TOKEN_LIFE_US = 1_500_000;

/**
 * Requests refused because their token ended on the way to the service, or on its own way to the client. Not those that were sent with
 * a token that had ended: not to renew it in time is no excuse.
 */
export function endedUnderWay({ exchanges }: Pick<Results, 'exchanges'>): readonly Exchange[] {
  // Tokens are numbered in the order in which they came.
  const issues = exchanges
    .filter(({ operation, status }) => operation === 'issueToken' && status === 201)
    .sort((a, b) => (a.receivedAt ?? 0) - (b.receivedAt ?? 0));
  return exchanges.filter(({ status, token = '', sentAt, receivedAt = 0 }) => {
    const issue = issues[Number(token.slice(1)) - 1];
    if (status !== 401 || issue === undefined) return false;
    const endsAt = issue.sentAt + TOKEN_LIFE_US;
    return receivedAt >= endsAt && (sentAt < endsAt || (issue.receivedAt ?? 0) >= endsAt);
  });
}
