import type { Micros } from '../base/index.ts';
import type { Exchange } from '../history/index.ts';

/**
 * Microseconds that an exchange waited for its caps. Without `pace`, a delay by `noCatchUp`, which results from the generator's own
 * lateness with an earlier arrival.
 */
function capWaitOf({ capWaitUs }: Pick<Exchange, 'capWaitUs'>): number {
  if (capWaitUs === undefined) return 0;
  const { pace: _, ...waits } = capWaitUs;
  return Object.values(waits).reduce((sum, us) => sum + us, 0);
}

/**
 * Computes how late the generator itself sent. Records must be passed in the order of the journal. A run does so for each of its
 * requests: no key is built of their texts.
 */
export class ScheduleLag {
  /** By application and user, when the last token was issued. Time that a request waited for a token is not the generator's lag. */
  readonly #tokenIssuedAt = new Map<string, Map<string, Micros>>();

  /** sentAt − intendedAt − waits for caps; `undefined` for an exchange that had to wait for an answer of the service. */
  of(exchange: Exchange): number | undefined {
    // A poll or a resend may have to wait for the previous answer, which is not the generator's lag.
    if (exchange.operation === 'readTurn') return undefined;
    const { application, user } = exchange;
    const tokenAt = this.#tokenIssuedAt.get(application)?.get(user);
    if (exchange.operation === 'issueToken') this.#tokenIssued(application, user, exchange.receivedAt);
    if (exchange.resend !== undefined) return undefined;
    const waited = capWaitOf(exchange);
    if (tokenAt === undefined || tokenAt <= exchange.intendedAt) return exchange.sentAt - exchange.intendedAt - waited;
    // Nothing could be sent before the token came; how much of its other waits lay before that is unknown.
    return Math.max(0, exchange.sentAt - tokenAt - (waited - (exchange.capWaitUs?.token ?? 0)));
  }

  merge(other: ScheduleLag): void {
    for (const [application, users] of other.#tokenIssuedAt)
      for (const [user, at] of users) this.#tokenIssued(application, user, at);
  }

  #tokenIssued(application: string, user: string, at: Micros): void {
    const users = this.#tokenIssuedAt.get(application) ?? new Map<string, Micros>();
    this.#tokenIssuedAt.set(application, users);
    const known = users.get(user);
    if (known === undefined || at > known) users.set(user, at);
  }
}
