/**
 * One of several parts of a plan: part i of n contains the users whose index modulo n is i. A user's journeys stay in one part, so
 * that they share a token and keep their order. Arrivals keep their indices in the whole plan, so that identifiers and chosen
 * journeys do not depend on the number of parts.
 */
export interface Segment {
  /** 0 ≤ part < of */
  readonly part: number;
  /** ≥ 1 */
  readonly of: number;
}

export const wholePlan: Segment = { part: 0, of: 1 };

export const isInSegment = (user: number, { part, of }: Segment): boolean => user % of === part;
