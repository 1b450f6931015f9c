import fastifyRateLimit from '@fastify/rate-limit';
import { RateLimiter } from '@tanstack/pacer/rate-limiter';
import { rateLimit } from 'express-rate-limit';
import fastify from 'fastify';
import { TokenBucket } from 'limiter';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Answering, type Asked, answer, envelope } from '../../testing/service.ts';

/** All are set to N requests per W, for the whole application. */
export const MAX = 20;
export const WINDOW_MS = 6_000;

/** A limiter that others wrote. */
export interface PublicLimiter {
  /** How it counts, by its documentation; `results/README.md` explains the names. */
  readonly reading: string;
  /** Readings that the traffic of the test proves not to be its own, also if requests are two seconds late. Others may be refuted, too. */
  readonly refuted: readonly string[];
  /** The limiter in front of a history. */
  serve(): Answering | Promise<Answering>;
}

const history = { messages: [] };
const admit = (asked: Pick<Asked, 'response'>) => answer(asked, 200, history);

function refuse({ response }: Pick<Asked, 'response'>, waitMs?: number): void {
  if (waitMs !== undefined) response.setHeader('retry-after', Math.ceil(waitMs / 1_000));
  answer({ response }, 429, envelope('rate_limited', true));
}

const everybody = (): string => 'the application';

export function behindExpressRateLimit(max: number): Answering {
  const limit = rateLimit({
    windowMs: WINDOW_MS,
    limit: max,
    keyGenerator: everybody,
    // Its checks of the address that Express would have determined.
    validate: false,
    handler: (_request, response) => refuse({ response }),
  });
  return ({ request, response }) => limit(request as never, response as never, () => admit({ response }));
}

async function behindFastifyRateLimit(): Promise<Answering> {
  const app = fastify();
  await app.register(fastifyRateLimit, {
    max: MAX,
    timeWindow: WINDOW_MS,
    keyGenerator: everybody,
    errorResponseBuilder: () => ({ statusCode: 429, ...envelope('rate_limited', true) }),
  });
  app.get('/*', () => history);
  await app.ready();
  return ({ request, response }) => app.routing(request, response);
}

function behindFlexible(blockMs: number): Answering {
  const limiter = new RateLimiterMemory({ points: MAX, duration: WINDOW_MS / 1_000, blockDuration: blockMs / 1_000 });
  return (asked) =>
    void limiter.consume(everybody()).then(
      () => admit(asked),
      ({ msBeforeNext }: RateLimiterRes) => refuse(asked, msBeforeNext),
    );
}

const behind =
  (isAdmitted: () => boolean): Answering =>
  (asked) =>
    isAdmitted() ? admit(asked) : refuse(asked);

function behindTokenBucket(): Answering {
  const bucket = new TokenBucket({ bucketSize: MAX, tokensPerInterval: MAX, interval: WINDOW_MS });
  bucket.content = MAX;
  return behind(() => bucket.tryRemoveTokens(1));
}

function behindPacer(): Answering {
  const limiter = new RateLimiter(() => undefined, { limit: MAX, window: WINDOW_MS, windowType: 'sliding' });
  return behind(() => limiter.maybeExecute());
}

const logs = ['sliding-log', 'sliding-log-counting-refused'];
const buckets = ['token-bucket', 'interval-refill'];
const windows = ['fixed-window-aligned', 'fixed-window'];
const windowsOfRequests = ['fixed-window-anchored', 'fixed-window-penalty'];

/** Its windows admit 2 N around an edge, as no log does, and refuse until they end, as no bucket does. */
const anchored = { reading: 'fixed-window-anchored', refuted: [...logs, ...buckets] };

export const publicLimiters: Readonly<Record<string, PublicLimiter>> = {
  'express-rate-limit': { ...anchored, serve: () => behindExpressRateLimit(MAX) },
  '@fastify/rate-limit': { ...anchored, serve: behindFastifyRateLimit },
  'rate-limiter-flexible': { ...anchored, serve: () => behindFlexible(0) },
  'rate-limiter-flexible that blocks for a window': {
    reading: 'fixed-window-penalty',
    refuted: ['sliding-log', ...buckets, ...windows, 'fixed-window-anchored'],
    serve: () => behindFlexible(WINDOW_MS),
  },
  'the token bucket of limiter': {
    reading: 'token-bucket',
    refuted: [...logs, ...windowsOfRequests],
    serve: behindTokenBucket,
  },
  'the sliding window of @tanstack/pacer': {
    reading: 'sliding-log',
    refuted: ['sliding-log-counting-refused', ...buckets, 'fixed-window-anchored'],
    serve: behindPacer,
  },
};
