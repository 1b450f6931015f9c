/**
 * One of several parts of a plan, by user: part i of n has the users whose index modulo n is i. A user's journeys stay together,
 * with their token and the order of their requests; arrivals keep the numbers that they have in the whole plan, so that
 * identifiers and journeys do not depend on the number of parts.
 */
export interface Segment {
  /** 0 ≤ part < of */
  readonly part: number;
  /** ≥ 1 */
  readonly of: number;
}

export const wholePlan: Segment = { part: 0, of: 1 };

export const isInSegment = (user: number, { part, of }: Segment): boolean => user % of === part;

/** How many of the arrivals 0 … count − 1, which are given to the users in turn, belong to a segment. */
export function arrivalsInSegment(count: number, users: number, segment: Segment): number {
  const usersBelow = (limit: number) => Math.max(0, Math.ceil((limit - segment.part) / segment.of));
  return Math.floor(count / users) * usersBelow(users) + usersBelow(count % users);
}
