import type { JsonAnswer } from '../../replies.ts';
import type { Breakage } from '../defect.ts';

type Headers = JsonAnswer['headers'];

/** The headers of every answer, rewritten. */
export const withHeaders =
  (rewrite: (headers: Headers) => Headers): Breakage['decide'] =>
  (honest) =>
  (service, request, now) => {
    const answer = honest(service, request, now);
    return { ...answer, headers: rewrite(answer.headers) };
  };

/** `RateLimit` item by item; a header without items is none. @param rewrite `undefined`: the item is left out */
export const withItems = (rewrite: (item: string) => string | undefined): Breakage['decide'] =>
  withHeaders(({ ratelimit, ...headers }) => {
    const items = (ratelimit?.split(', ') ?? []).flatMap((item) => rewrite(item) ?? []);
    return items.length === 0 ? headers : { ...headers, ratelimit: items.join(', ') };
  });
