import { type Draw, drawOf } from '../draw.ts';

/** What becomes of one request on its way. Times are run µs. */
export interface Trip {
  /** From sending to the decision. */
  readonly thereUs: number;
  /** From the decision to the status line. */
  readonly backUs: number;
  /** From the status line to the last byte. */
  readonly bodyUs: number;
  readonly fate: Fate;
  /** When the client notices a reset, or has the answer of an impatient gateway, since sending: before the decision or long after it. */
  readonly noticedUs: number;
  /** What an intermediary answers with: some refuse by limits of their own. */
  readonly gatewayStatus: 502 | 429;
}

/**
 * `whole`: decided and answered. `lost`: never decided, reset. `reset`: decided, the answer is lost. `gateway`: decided, an
 * intermediary answers for the service. `impatient`: it does so after a time of its own, perhaps before the decision.
 * `turned-away`: an intermediary answers and nothing is decided.
 */
export type Fate = 'whole' | 'lost' | 'reset' | 'gateway' | 'impatient' | 'turned-away';

export interface Network {
  /** @param patienceUs how long the client waits for the status line */
  readonly patienceUs: number;
  /** Longest time from sending to a decision whose answer the client does not see. */
  readonly maxServerDelayUs: number;
  /** @param sentAt run time */
  trip(sentAt: number): Trip;
}

/** Some services answer their first requests late. @param windowUs run µs: what delays are short or long against */
export function drawNetwork(seed: number, windowUs: number): Network {
  const draw = drawOf(seed, 'network');
  const scale = draw.pick([0, 100, 5_000, 100_000, windowUs / 50, windowUs / 8, windowUs / 2, windowUs * 1.5]);
  const asymmetry = draw.pick([0, 0.5, 0.5, 1]);
  const stragglers = draw.pick([0, 0, 0.02, 0.2]);
  const failing = draw.pick([0, 0, 0, 0.03, 0.2]);
  const maxServerDelayUs = Math.ceil(scale * draw.pick([5, 50]) + 1_000);
  const patienceUs = draw.chance(0.3) ? scale * draw.between(0.5, 3) + 1 : Number.POSITIVE_INFINITY;
  const cold = drawOf(seed, 'cold start');
  const warmAt = cold.chance(0.1) ? windowUs * cold.pick([0.01, 0.1, 0.5]) : 0;
  const coldUs = (sentAt: number) => (sentAt >= 0 && sentAt < warmAt ? cold.between(1e6, 10e6) : 0);
  const delay = (share: number) => {
    const stretch = draw.chance(stragglers) ? draw.between(1, 20) : 1;
    return draw.random.next() ** 2 * scale * share * stretch;
  };
  return {
    patienceUs,
    maxServerDelayUs,
    trip: (sentAt) => ({
      thereUs: Math.min(delay(2 * asymmetry), maxServerDelayUs - 1),
      backUs: delay(2 - 2 * asymmetry) + coldUs(sentAt),
      bodyUs: draw.chance(0.1) ? delay(1) : 0,
      fate: fateOf(draw, failing),
      noticedUs: draw.random.next() * Math.max(scale, 1) * draw.pick([0.2, 2, 10]),
      gatewayStatus: draw.chance(0.3) ? 429 : 502,
    }),
  };
}

function fateOf(draw: Draw, failing: number): Fate {
  return draw.chance(failing)
    ? draw.pick(['lost', 'reset', 'reset', 'gateway', 'impatient', 'turned-away'] as const)
    : 'whole';
}
