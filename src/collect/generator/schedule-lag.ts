import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';

/**
 * Microseconds that an exchange waited for its caps. Without `pace`, a delay by `noCatchUp`, which results from the generator's own
 * lateness with an earlier arrival.
 */
export function capWaitOf({ capWaitUs }: Pick<Exchange, 'capWaitUs'>): number {
  if (capWaitUs === undefined) return 0;
  const { pace: _, ...waits } = capWaitUs;
  return Object.values(waits).reduce((sum, us) => sum + us, 0);
}

const isIssue = ({ operation, status = 0 }: Exchange): boolean =>
  operation === 'issueToken' && status >= 200 && status < 300;

/** So many tokens of a user are remembered, so that memory does not grow with the run; hardly a request is on its way during as many. */
const MOST_TOKENS = 16;

/** Index of the last of ascending times that is not later; −1 if all are. The loop takes a quarter of the time of `findLastIndex`. */
function lastUpTo(times: readonly Micros[], at: Micros): number {
  let index = times.length - 1;
  while (index >= 0 && (times[index] ?? 0) > at) index--;
  return index;
}

/**
 * Computes how late the generator itself sent. Records must be passed in the order of the journal. A run does so for each of its
 * requests: no key is built of their texts.
 */
export class ScheduleLag {
  /**
   * By application and user, when the last tokens were issued, ascending. Time that a request waited for a token is not the generator's lag;
   * a token that came while it was already on its way did not delay it.
   */
  readonly #tokensIssuedAt = new Map<string, Map<string, Micros[]>>();

  /**
   * sentAt − intendedAt − waits for caps; `undefined` for an exchange that had to wait for an answer of the service, or was sent before
   * all tokens that are remembered.
   */
  of(exchange: Exchange): number | undefined {
    // A poll or a resend may have to wait for the previous answer, which is not the generator's lag.
    if (exchange.operation === 'readTurn') return undefined;
    const { application, user, intendedAt, sentAt } = exchange;
    const issuedAt = this.#tokensIssuedAt.get(application)?.get(user);
    const tokenAt = issuedAt?.[lastUpTo(issuedAt, sentAt)];
    const isForgotten = tokenAt === undefined && issuedAt?.length === MOST_TOKENS;
    if (isIssue(exchange)) this.#tokenIssued(application, user, exchange.receivedAt);
    if (exchange.resend !== undefined || isForgotten) return undefined;
    const waited = capWaitOf(exchange);
    if (tokenAt === undefined || tokenAt <= intendedAt) return sentAt - intendedAt - waited;
    // Nothing could be sent before the token came; how much of its other waits lay before that is unknown.
    return Math.max(0, sentAt - tokenAt - (waited - (exchange.capWaitUs?.token ?? 0)));
  }

  merge(other: ScheduleLag): void {
    for (const [application, users] of other.#tokensIssuedAt)
      for (const [user, times] of users) for (const at of times) this.#tokenIssued(application, user, at);
  }

  #tokenIssued(application: string, user: string, at: Micros): void {
    const users = this.#tokensIssuedAt.get(application) ?? new Map<string, Micros[]>();
    this.#tokensIssuedAt.set(application, users);
    const times = users.get(user) ?? [];
    users.set(user, times);
    times.splice(lastUpTo(times, at) + 1, 0, at);
    if (times.length > MOST_TOKENS) times.shift();
  }
}
