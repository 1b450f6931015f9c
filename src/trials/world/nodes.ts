import type { Micros } from '../../base/index.ts';
import { drawOf } from '../draw.ts';

/** A second server of a service, which decides some of the requests by its own clock. Both share what is counted. */
export interface SecondNode {
  /** How far its clock is ahead of the first one's, whole µs. */
  readonly byUs: number;
  /** Share of the requests that reach it. */
  readonly share: number;
}

/** From differences that whole seconds cannot show to some that every Date shows, µs. */
const APART_US = [20_000, 700_000, 2_500_000, 4_000_000, 45_000_000, 3_600_000_000];

/** @param mayBe whether there may be one */
export function drawSecondNode(seed: number, mayBe: boolean): SecondNode | undefined {
  const draw = drawOf(seed, 'second node');
  if (!mayBe || !draw.chance(0.25)) return undefined;
  return { byUs: draw.pick(APART_US) * draw.pick([-1, 1]), share: draw.pick([0.05, 0.3, 0.5]) };
}

/** When a service with one or two nodes decides. What they share never goes back, whichever of them decides. */
export class Decisions {
  readonly #tickAt: (t: number) => Micros;
  readonly #second: SecondNode | undefined;
  readonly #draw;
  #latest = Number.NEGATIVE_INFINITY;

  constructor(scene: number, { tickAt, dates }: Deciding) {
    this.#tickAt = tickAt;
    this.#second = dates?.secondNode;
    this.#draw = drawOf(scene, 'which node');
  }

  /** Draws whether the second node is asked. */
  isSecond(): boolean {
    return this.#second !== undefined && this.#draw.chance(this.#second.share);
  }

  /** Service time of a decision at a run time. @param isSecond whether by the second node's clock */
  at(t: number, isSecond = false): Micros {
    return this.reach((this.#tickAt(t) + (isSecond ? (this.#second?.byUs ?? 0) : 0)) as Micros);
  }

  /** Something has happened at this service time, so whatever is decided from now on is decided later. */
  reach(serviceUs: Micros): Micros {
    this.#latest = Math.max(this.#latest, serviceUs);
    return this.#latest as Micros;
  }
}

interface Deciding {
  readonly tickAt: (t: number) => Micros;
  readonly dates?: { readonly secondNode?: SecondNode };
}
