/** The three declared limits (specification section 8): requests per minute, simultaneous processings, new messages per day. */
export const limitNames = ['rate', 'concurrency', 'daily'] as const;
export type LimitName = (typeof limitNames)[number];
