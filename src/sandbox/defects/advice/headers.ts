import type { JsonAnswer } from '../../replies.ts';
import type { Breakage } from '../defect.ts';

type Headers = JsonAnswer['headers'];

/** Rewrites the headers of every answer. */
export const withHeaders =
  (rewrite: (headers: Headers) => Headers): Breakage['decide'] =>
  (honest) =>
  (service, request, now) => {
    const answer = honest(service, request, now);
    return { ...answer, headers: rewrite(answer.headers) };
  };

/** Rewrites the items of `RateLimit`. A header without items is omitted. @param rewrite returns undefined to omit the item */
export const withItems = (rewrite: (item: string) => string | undefined): Breakage['decide'] =>
  withHeaders(({ ratelimit, ...headers }) => {
    const items = (ratelimit?.split(', ') ?? []).flatMap((item) => rewrite(item) ?? []);
    return items.length === 0 ? headers : { ...headers, ratelimit: items.join(', ') };
  });
