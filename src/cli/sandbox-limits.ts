import type { Argv } from 'yargs';
import {
  days,
  limitNames,
  limitScopes,
  operationIds,
  rateAlgorithmNames,
  slidingCounterVariants,
  slotKinds,
} from '../api/index.ts';
import { formatDuration } from '../base/index.ts';
import type { SandboxConfig } from '../sandbox/index.ts';

/** The switches of the limits, as yargs reads them. Absent: what the file says, or the default. */
export interface LimitArguments {
  rate?: number | undefined;
  rateWindow?: string | undefined;
  rateAlgorithm?: string | undefined;
  ratePhase?: string | undefined;
  rateBurst?: number | undefined;
  rateBlock?: string | undefined;
  rateVariant?: string | undefined;
  rateScope?: string | undefined;
  rateOperations?: readonly string[] | undefined;
  rateCountsInvalid?: boolean | undefined;
  rateCountsReplays?: boolean | undefined;
  rateCountsRefusedLater?: boolean | undefined;
  concurrency?: number | undefined;
  concurrencyTtl?: string | undefined;
  concurrencyScope?: string | undefined;
  concurrencySlot?: string | undefined;
  concurrencyRetryAfter?: string | undefined;
  daily?: number | undefined;
  dailyDay?: string | undefined;
  dailyScope?: string | undefined;
  limitOrder?: readonly string[] | undefined;
}

/** Where each switch of the limits stands in the settings. */
export const limitPlaces: Readonly<Record<keyof LimitArguments, string>> = {
  rate: 'limits.rate.max',
  rateWindow: 'limits.rate.window',
  rateAlgorithm: 'limits.rate.algorithm',
  ratePhase: 'limits.rate.phase',
  rateBurst: 'limits.rate.burst',
  rateBlock: 'limits.rate.block',
  rateVariant: 'limits.rate.variant',
  rateScope: 'limits.rate.scope',
  rateOperations: 'limits.rate.operations',
  rateCountsInvalid: 'limits.rate.countsInvalid',
  rateCountsReplays: 'limits.rate.countsReplays',
  rateCountsRefusedLater: 'limits.rate.countsRefusedLater',
  concurrency: 'limits.concurrency.max',
  concurrencyTtl: 'limits.concurrency.ttl',
  concurrencyScope: 'limits.concurrency.scope',
  concurrencySlot: 'limits.concurrency.slot',
  concurrencyRetryAfter: 'limits.concurrency.retryAfter',
  daily: 'limits.daily.max',
  dailyDay: 'limits.daily.day',
  dailyScope: 'limits.daily.scope',
  limitOrder: 'limits.order',
};

const GROUP = 'Limits:';
const oneOf = (words: readonly string[]) => words.join(', ');
/** `a,b` or `a --switch b`: a list of words. */
const words = (given: unknown) =>
  given === undefined
    ? undefined
    : [given].flat().flatMap((text) =>
        String(text)
          .split(',')
          .map((word) => word.trim()),
      );

export function limitOptions<T>(yargs: Argv<T>) {
  const text = (describe: string) => ({ requiresArg: true, type: 'string', group: GROUP, describe }) as const;
  const number = (describe: string) => ({ requiresArg: true, type: 'number', group: GROUP, describe }) as const;
  const list = (describe: string) => ({ ...text(describe), coerce: words }) as const;
  const flag = (describe: string) => ({ type: 'boolean', group: GROUP, describe }) as const;
  return yargs
    .option('rate', number('Requests admitted per window; default 20.'))
    .option('rate-window', text('Length of the window; default 60s.'))
    .option('rate-algorithm', text(`How requests are counted: ${oneOf(rateAlgorithmNames)}; default fixed-window.`))
    .option('rate-phase', text("How long after the clock's own windows these begin; default 0."))
    .option('rate-burst', number('Capacity of a bucket or queue; default the rate.'))
    .option('rate-block', text('Penalty of fixed-window-block; default the window.'))
    .option('rate-variant', text(`How a sliding counter compares: ${oneOf(slidingCounterVariants)}; default below.`))
    .option('rate-scope', text(`Whose requests are counted together: ${oneOf(limitScopes)}; default application.`))
    .option('rate-operations', list(`Operations that count, of ${oneOf(operationIds)}; default all with a user token.`))
    .option('rate-counts-invalid', flag('Count requests answered 422 or 404; the default, --no-… turns it off.'))
    .option('rate-counts-replays', flag('Count messages sent again; the default, --no-… turns it off.'))
    .option(
      'rate-counts-refused-later',
      flag('Count requests that a later limit refuses; the default, --no-… turns it off.'),
    )
    .option('concurrency', number('Turns in process at once; default 2.'))
    .option('concurrency-ttl', text('Makes each slot a lease that ends after this long, though its turn goes on.'))
    .option('concurrency-scope', text(`Whose turns are counted together: ${oneOf(limitScopes)}; default application.`))
    .option(
      'concurrency-slot',
      text(`When a turn takes a slot: ${oneOf(slotKinds)} (one that waits takes none); default accepted-to-finished.`),
    )
    .option(
      'concurrency-retry-after',
      text('Whether a refusal says when a slot comes free: exact, absent; default exact.'),
    )
    .option('daily', number('New messages per day; default 50.'))
    .option('daily-day', text(`When the day turns: ${oneOf(days)}; default utc.`))
    .option('daily-scope', text(`Whose messages are counted together: ${oneOf(limitScopes)}; default application.`))
    .option(
      'limit-order',
      list(`In which order the limits are asked: ${oneOf(limitNames)}, all three; default rate,daily,concurrency.`),
    );
}

/** Each limit in a line, in the order in which they are asked. */
export function describeLimits({ order, rate, concurrency, daily }: SandboxConfig['limits']): readonly string[] {
  const lines = {
    rate: rate.map(
      ({ max, window, algorithm, scope }) =>
        `${max} requests per ${window === 60_000 ? 'minute' : formatDuration(window * 1_000)} by ${scope}, ${algorithm}`,
    ),
    daily: daily.map(({ max, day, scope }) => `${max} new messages per day by ${scope}, ${day}`),
    concurrency: concurrency.map(
      ({ max, algorithm, scope, slot }) => `${max} turns at once by ${scope}, ${algorithm}, ${slot}`,
    ),
  };
  const told = order.flatMap((limit) => lines[limit]);
  return told.length > 0 ? told : ['none'];
}
