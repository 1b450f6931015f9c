import type { Distribution, StageSummary } from '../../collect/index.ts';
import { percentileOf } from '../percentiles.ts';
import { type CsvColumn, rowsAtTheEnd } from './csv.ts';
import type { Exporter } from './exporter.ts';

type Column = CsvColumn<StageSummary>;

/** Columns for p50, p90 and p99, each empty with too few samples. */
const percentiles = (
  name: string,
  of: string,
  distributionOf: (stage: StageSummary) => Distribution | undefined,
): Column[] =>
  (['p50', 'p90', 'p99'] as const).map((which) => ({
    name: `${name}_${which}_us`,
    unit: 'µs',
    meaning: `${which} of ${of}; empty with too few samples`,
    value: (stage) => percentileOf(distributionOf(stage), which)?.us,
  }));

const count = (name: string, meaning: string, value: Column['value']): Column => ({ name, meaning, value });
const time = (name: string, meaning: string, value: Column['value']): Column => ({ name, unit: 'µs', meaning, value });

const plan: readonly Column[] = [
  count('stage', 'Name of the stage: stair-3, or climb.stair-3 in the phase climb', ({ name }) => name),
  time('from_us', 'Start of the stage', ({ fromUs }) => fromUs),
  time('to_us', 'Start of the next stage; for the last stage, the planned end', ({ toUs }) => toUs),
  time(
    'measured_us',
    'How much of it was measured: without the warm-up, and without the part after the end of a run cut short',
    ({ measuredUs }) => measuredUs,
  ),
  count(
    'state',
    'held (every arrival started, every journey reached its end, nothing was refused or failed), gave-in (something was refused or failed, or a journey stopped) or untold (neither is known)',
    ({ state }) => state,
  ),
  count(
    'arrivals_per_minute_from',
    'Rate of the open load models at its start; empty without such models, and if one of them has no rate',
    ({ arrivalsPerMinute }) => arrivalsPerMinute?.from,
  ),
  count('arrivals_per_minute_to', 'The same at its end', ({ arrivalsPerMinute }) => arrivalsPerMinute?.to),
  count(
    'users_from',
    'Users of closed load models at its start; empty without such models',
    ({ users }) => users?.from,
  ),
  count('users_to', 'The same at its end', ({ users }) => users?.to),
];

const journeys: readonly Column[] = [
  count(
    'arrivals',
    'Journeys that ended, and arrivals dropped; in a complete run, all that were planned',
    ({ arrivals }) => arrivals,
  ),
  count('dropped', 'Arrivals that were never started', ({ dropped }) => dropped),
  count('completed', 'Journeys that reached their end', (stage) => stage.journeys.completed),
  count('stopped', 'Journeys that a refusal or an error stopped', (stage) => stage.journeys.stopped),
  count('interrupted', "Journeys that the run's end cut off", (stage) => stage.journeys.interrupted),
  count(
    'completed_per_minute',
    'Journeys that reached their end, per minute of measured_us; compare with arrivals_per_minute; empty if measured_us is 0',
    ({ perMinute }) => perMinute?.completedJourneys,
  ),
];

const exchanges: readonly Column[] = [
  count('exchanges', 'Exchanges intended in it', (stage) => stage.exchanges),
  count('success', 'With a status of success and a usable body', ({ byOutcome }) => byOutcome.success),
  count('error', 'With any other answer except 429', ({ byOutcome }) => byOutcome.error),
  count('refused', 'With 429', ({ byOutcome }) => byOutcome.refused),
  count('failed', 'Without an answer', ({ byOutcome }) => byOutcome.failed),
  count('censored', 'The client stopped waiting', ({ byOutcome }) => byOutcome.censored),
  count('expected_errors', 'Of error, those that the step expects', ({ expectedErrors = 0 }) => expectedErrors),
  count('refused_rate', '429s that name the rate limit', ({ refusedBy }) => refusedBy.rate),
  count('refused_concurrency', '429s that name the concurrency limit', ({ refusedBy }) => refusedBy.concurrency),
  count('refused_daily', '429s that name the daily quota', ({ refusedBy }) => refusedBy.daily),
  count('refused_unattributed', '429s whose error code names no limit', ({ refusedBy }) => refusedBy.unattributed),
  count(
    'refused_share',
    '429s as a share of all exchanges, 0 to 1; empty without exchanges',
    (stage) => stage.refusedShare,
  ),
  count(
    'failed_share',
    'Failures (as http_req_failed) as a share of all exchanges, 0 to 1; empty without exchanges',
    (stage) => stage.failedShare,
  ),
  count(
    'successes_per_minute',
    'Exchanges that succeeded, per minute of measured_us; for the last stage, only those intended before its end; empty if measured_us is 0',
    ({ perMinute }) => perMinute?.successes,
  ),
];

const times: readonly Column[] = [
  ...percentiles(
    'service',
    'the service time of successes, all operations together',
    ({ latency }) => latency?.service,
  ),
  ...percentiles('response', 'the response time of these', ({ latency }) => latency?.response),
  time(
    'response_max_us',
    'Longest response time of these; empty without successes',
    ({ latency }) => latency?.response.maxUs,
  ),
  count(
    'held_back',
    "Exchanges that waited for the scenario's own caps (openTurns, requestsPerMinute, inFlight)",
    ({ heldBack }) => heldBack?.count ?? 0,
  ),
  count(
    'held_back_beyond',
    'Of these, those sent only after the end of the stage: the stage was then not under the planned load',
    ({ heldBack }) => heldBack?.sentLater ?? 0,
  ),
  time('held_back_max_us', 'Longest such wait; empty if there was none', ({ heldBack }) => heldBack?.maxUs),
];

const turns: readonly Column[] = [
  count('turns', 'Turns whose messages were intended in it', (stage) => stage.turns?.accepted ?? 0),
  count('turns_completed', 'Of these, seen to complete', (stage) => stage.turns?.completed ?? 0),
  count('turns_failed', 'Declared failed by the service', (stage) => stage.turns?.failed ?? 0),
  ...percentiles('completion', 'turn completion', (stage) => stage.turns?.completion),
];

const columns = [...plan, ...journeys, ...exchanges, ...times, ...turns];

/** `stages.csv`: one row per stage of the plan; only the header line if there is only one stage. */
export const stagesCsv: Exporter = {
  file: 'stages.csv',
  holds:
    'one row per stage of the plan (stair, ramp, part of a spike, phase), without the warm-up; no rows if there is only one stage',
  columns,
  open: rowsAtTheEnd(columns, (measured) => measured.summary().stages ?? []),
};
