import type { Distribution, StageSummary } from '../../collect/index.ts';
import { percentileOf } from '../percentiles.ts';
import { type CsvColumn, column, rowsAtTheEnd } from './csv.ts';
import type { Exporter } from './exporter.ts';

type Column = CsvColumn<StageSummary>;

/** Columns for p50, p90 and p99, each empty with too few samples. */
const percentiles = (
  name: string,
  of: string,
  distributionOf: (stage: StageSummary) => Distribution | undefined,
): Column[] =>
  (['p50', 'p90', 'p99'] as const).map((which) =>
    time(
      `${name}_${which}_us`,
      `${which} of ${of}; empty with too few samples`,
      (stage) => percentileOf(distributionOf(stage), which)?.us,
    ),
  );

const time = (name: string, meaning: string, value: Column['value']): Column => column(name, meaning, value, 'µs');

const plan: readonly Column[] = [
  column('stage', 'Name of the stage: stair-3, or climb.stair-3 in the phase climb', ({ name }) => name),
  time('from_us', 'Start of the stage', ({ fromUs }) => fromUs),
  time('to_us', 'Start of the next stage; for the last stage, the planned end', ({ toUs }) => toUs),
  time(
    'measured_us',
    'How much of it was measured: without the warm-up, and without the part after the end of a run cut short',
    ({ measuredUs }) => measuredUs,
  ),
  column(
    'state',
    'held (every arrival started, every journey reached its end, nothing was refused or failed, the service did not fall behind), gave-in (something was refused or failed other than by the end of the run, a journey stopped, or the service fell behind) or untold (neither is known)',
    ({ state }) => state,
  ),
  column(
    'behind_half',
    'Where the service fell behind: requests that should have been sent and were not answered, at the half of the measured time; else empty',
    ({ behind }) => behind?.half,
  ),
  column('behind_end', 'The same at its end', ({ behind }) => behind?.end),
  column(
    'turns_behind_half',
    'Where the service fell behind with turns: those certainly in process at the half of the measured time; else empty',
    ({ turnsBehind }) => turnsBehind?.half,
  ),
  column('turns_behind_end', 'The same at its end', ({ turnsBehind }) => turnsBehind?.end),
  column(
    'arrivals_per_minute_from',
    'Rate of the open load models at its start; empty without such models, and if one of them has no rate',
    ({ arrivalsPerMinute }) => arrivalsPerMinute?.from,
  ),
  column('arrivals_per_minute_to', 'The same at its end', ({ arrivalsPerMinute }) => arrivalsPerMinute?.to),
  column(
    'users_from',
    'Users of closed load models at its start; empty without such models',
    ({ users }) => users?.from,
  ),
  column('users_to', 'The same at its end', ({ users }) => users?.to),
];

const journeys: readonly Column[] = [
  column(
    'arrivals',
    'Journeys that ended, and arrivals dropped; in a complete run, all that were planned',
    ({ arrivals }) => arrivals,
  ),
  column('dropped', 'Arrivals that were never started', ({ dropped }) => dropped),
  column('completed', 'Journeys that reached their end', (stage) => stage.journeys.completed),
  column('stopped', 'Journeys that a refusal or an error stopped', (stage) => stage.journeys.stopped),
  column('interrupted', "Journeys that the run's end cut off", (stage) => stage.journeys.interrupted),
  column(
    'completed_per_minute',
    'Journeys that reached their end within the stage, whenever they began, per minute of measured_us; compare with arrivals_per_minute; empty if measured_us is 0',
    ({ perMinute }) => perMinute?.completedJourneys,
  ),
];

const exchanges: readonly Column[] = [
  column('exchanges', 'Exchanges intended in it', (stage) => stage.exchanges),
  column('success', 'With a status of success and a usable body', ({ byOutcome }) => byOutcome.success),
  column('error', 'With any other answer except 429', ({ byOutcome }) => byOutcome.error),
  column('refused', 'With 429', ({ byOutcome }) => byOutcome.refused),
  column('failed', 'Without an answer', ({ byOutcome }) => byOutcome.failed),
  column('censored', 'The client stopped waiting', ({ byOutcome }) => byOutcome.censored),
  column('expected_errors', 'Of error, those that the step expects', ({ expectedErrors = 0 }) => expectedErrors),
  column('refused_rate', '429s that name the rate limit', ({ refusedBy }) => refusedBy.rate),
  column('refused_concurrency', '429s that name the concurrency limit', ({ refusedBy }) => refusedBy.concurrency),
  column('refused_daily', '429s that name the daily quota', ({ refusedBy }) => refusedBy.daily),
  column('refused_unattributed', '429s whose error code names no limit', ({ refusedBy }) => refusedBy.unattributed),
  column(
    'refused_share',
    '429s as a share of all exchanges, 0 to 1; empty without exchanges',
    (stage) => stage.refusedShare,
  ),
  column(
    'failed_share',
    'Failures (as http_req_failed) as a share of all exchanges, 0 to 1; empty without exchanges',
    (stage) => stage.failedShare,
  ),
  column(
    'successes_per_minute',
    'Successes received within the stage, whenever they were intended, per minute of measured_us; empty if measured_us is 0',
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
  column(
    'held_back',
    "Exchanges that waited for the scenario's own caps (openTurns, requestsPerMinute, inFlight)",
    ({ heldBack }) => heldBack?.count ?? 0,
  ),
  column(
    'held_back_beyond',
    'Of these, those intended before the end of the stage and sent only after it: the stage was then not under the planned load',
    ({ heldBack }) => heldBack?.sentLater ?? 0,
  ),
  time('held_back_max_us', 'Longest such wait; empty if there was none', ({ heldBack }) => heldBack?.maxUs),
];

const turns: readonly Column[] = [
  column('turns', 'Turns whose messages were intended in it', (stage) => stage.turns?.accepted ?? 0),
  column('turns_completed', 'Of these, seen to complete', (stage) => stage.turns?.completed ?? 0),
  column('turns_failed', 'Declared failed by the service', (stage) => stage.turns?.failed ?? 0),
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
