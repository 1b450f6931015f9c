import type { Argv } from 'yargs';
import {
  days,
  limitNames,
  limitScopes,
  type OperationId,
  operationIds,
  rateAlgorithmNames,
  slidingCounterVariants,
  slotKinds,
} from '../../api/index.ts';
import { formatDuration, plural } from '../../base/index.ts';
import type { SandboxConfig } from '../../sandbox/index.ts';
import * as switches from './switches.ts';

/** The path of each switch of the limits in the settings. */
export const limitPlaces = {
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

const group = 'Limits:';
const text = (describe: string) => ({ ...switches.text(describe), group }) as const;
const number = (describe: string) => ({ ...switches.number(describe), group }) as const;
const list = (describe: string) => ({ ...text(describe), coerce: words }) as const;
/** Without a default, which would override the file. */
const flag = (describe: string) => ({ type: 'boolean', group, describe }) as const;

export function limitOptions<T>(yargs: Argv<T>) {
  return dailyOptions(concurrencyOptions(rateOptions(yargs))).option(
    'limit-order',
    list(`Order in which the limits are checked; all three of ${oneOf(limitNames)}; default rate,daily,concurrency.`),
  );
}

function rateOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('rate', number('Requests admitted per window; default 20.'))
    .option('rate-window', text('Length of the window; default 60s.'))
    .option('rate-algorithm', text(`How requests are counted: ${oneOf(rateAlgorithmNames)}; default fixed-window.`))
    .option('rate-phase', text('Offset of aligned windows from multiples of the window length; default 0.'))
    .option('rate-burst', number('Capacity of a token bucket or leaky queue; default the rate.'))
    .option(
      'rate-block',
      text(
        'How long fixed-window-block refuses after an excess; default the window, which is what the reading fixed-window-penalty expects.',
      ),
    )
    .option(
      'rate-variant',
      text(
        `How a sliding-counter compares its estimate with the limit: ${oneOf(slidingCounterVariants)}; default below.`,
      ),
    )
    .option('rate-scope', text(`Whose requests are counted together: ${oneOf(limitScopes)}; default application.`))
    .option(
      'rate-operations',
      list(`Operations that count: ${oneOf(operationIds)}; default all that need a user token.`),
    )
    .option('rate-counts-invalid', flag('Count requests answered with 422 or 404; on by default, --no-… turns it off.'))
    .option('rate-counts-replays', flag('Count replayed messages; on by default, --no-… turns it off.'))
    .option(
      'rate-counts-refused-later',
      flag('Count requests that a later limit refuses; on by default, --no-… turns it off.'),
    );
}

function concurrencyOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('concurrency', number('Turns in process at the same time; default 2.'))
    .option(
      'concurrency-ttl',
      text('Make each slot a lease that expires after this long, even if its turn still runs.'),
    )
    .option('concurrency-scope', text(`Whose turns are counted together: ${oneOf(limitScopes)}; default application.`))
    .option(
      'concurrency-slot',
      text(`When a turn takes a slot: ${oneOf(slotKinds)} (a queued turn takes none); default accepted-to-finished.`),
    )
    .option(
      'concurrency-retry-after',
      text('Retry-After of a concurrency refusal: exact (when a slot becomes free) or absent; default exact.'),
    );
}

function dailyOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('daily', number('New messages per day; default 50.'))
    .option('daily-day', text(`When a new day begins: ${oneOf(days)}; default utc.`))
    .option('daily-scope', text(`Whose messages are counted together: ${oneOf(limitScopes)}; default application.`));
}

/** One line per limit, in the order in which they are checked. */
export function describeLimits({ order, rate, concurrency, daily }: SandboxConfig['limits']): readonly string[] {
  const lines = {
    rate: rate.map(
      (limit) =>
        `${plural(limit.max, 'request')} per ${limit.window === 60_000 ? 'minute' : lengthOf(limit.window)} by ${limit.scope}, ${limit.algorithm}${sizeOf(limit)}${onlyOf(limit, allWithToken)}`,
    ),
    daily: daily.map(
      (limit) =>
        `${plural(limit.max, 'new message')} per day by ${limit.scope}, ${limit.day}${onlyOf(limit, ['sendMessage'])}`,
    ),
    concurrency: concurrency.map(
      (limit) =>
        `${plural(limit.max, 'turn')} at once by ${limit.scope}, ${limit.algorithm}${sizeOf(limit)}, ${limit.slot}`,
    ),
  };
  const told = order.flatMap((limit) => lines[limit]);
  return told.length > 0 ? told : ['none'];
}

const allWithToken = operationIds.filter((operation) => operation !== 'issueToken');

/** Which operations count, unless it is the usual ones. */
const onlyOf = ({ operations }: { readonly operations: readonly OperationId[] }, usual: readonly OperationId[]) =>
  operations.length === usual.length && usual.every((each) => operations.includes(each))
    ? ''
    : `, counting ${operations.join(', ')}`;

const lengthOf = (millis: number) => formatDuration(millis * 1_000);

/** What a limit has beside its maximum: of a bucket what it holds, of a penalty or a lease how long it is. Empty: nothing, or the default. */
function sizeOf(limit: SandboxConfig['limits']['rate' | 'concurrency'][number]): string {
  if ('burst' in limit) return limit.burst === limit.max ? '' : ` of ${limit.burst}`;
  if ('block' in limit) return limit.block === limit.window ? '' : ` of ${lengthOf(limit.block)}`;
  return 'ttl' in limit ? ` of ${lengthOf(limit.ttl)}` : '';
}
