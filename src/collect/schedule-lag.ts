import type { Micros } from '../base/index.ts';
import type { Exchange } from '../history/index.ts';
import { keyOf } from './counts.ts';

/**
 * Microseconds that an exchange waited for its caps. Without `pace`, a delay by `noCatchUp`, which results from the generator's own
 * lateness with an earlier arrival.
 */
function capWaitOf({ capWaitUs }: Pick<Exchange, 'capWaitUs'>): number {
  if (capWaitUs === undefined) return 0;
  const { pace: _, ...waits } = capWaitUs;
  return Object.values(waits).reduce((sum, us) => sum + us, 0);
}

/** Computes how late the generator itself sent. Records must be passed in the order of the journal. */
export class ScheduleLag {
  /** When each user's token was last issued. Time that a request waited for a token is not the generator's lag. */
  readonly #tokenIssuedAt = new Map<string, Micros>();

  /** sentAt − intendedAt − waits for caps; `undefined` for an exchange that had to wait for an answer of the service. */
  of(exchange: Exchange): number | undefined {
    const user = keyOf(exchange.application, exchange.user);
    const tokenAt = this.#tokenIssuedAt.get(user) ?? Number.NEGATIVE_INFINITY;
    if (exchange.operation === 'issueToken') this.#tokenIssued(user, exchange.receivedAt);
    // A poll or a resend may have to wait for the previous answer, which is not the generator's lag.
    const waitsForAnswers = exchange.operation === 'readTurn' || exchange.resend !== undefined;
    if (waitsForAnswers) return undefined;
    const waited = capWaitOf(exchange);
    if (tokenAt <= exchange.intendedAt) return exchange.sentAt - exchange.intendedAt - waited;
    // Nothing could be sent before the token came; how much of its other waits lay before that is unknown.
    return Math.max(0, exchange.sentAt - tokenAt - (waited - (exchange.capWaitUs?.token ?? 0)));
  }

  merge(other: ScheduleLag): void {
    for (const [user, at] of other.#tokenIssuedAt) this.#tokenIssued(user, at);
  }

  #tokenIssued(user: string, at: Micros): void {
    const known = this.#tokenIssuedAt.get(user);
    if (known === undefined || at > known) this.#tokenIssuedAt.set(user, at);
  }
}
