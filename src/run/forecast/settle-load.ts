import {
  type ConfigProblem,
  ConfigurationError,
  formatCount,
  type Micros,
  microsFromMillis,
  plural,
  together,
} from '../../base/index.ts';
import type { TurnRow } from '../../collect/index.ts';
import { compilePlan } from '../../plan/index.ts';
import {
  type Allowance,
  type LoadedScenario,
  type LoadModel,
  namedUsers,
  placedLoadModels,
  withLoadModels,
} from '../../scenario/index.ts';
import { participantsOf } from '../../schedule/index.ts';
import { onlyOnce } from '../adjust.ts';
import { serviceRateOf } from '../target/target.ts';
import { longestDayUs } from './daily-use.ts';
import { assumedTurnUs, MOST_EXCHANGES, rehearse } from './rehearse.ts';

type PacedToLimits = Extract<LoadModel, { model: 'paced-to-limits' }>;

/**
 * Computes the part of a load model that depends on the target: the allowance of `paced-to-limits`. A journey's cost is measured by
 * rehearsing it once without limits, with the code of the real run.
 * @param embedded whether the target is the embedded sandbox, whose turn lengths and clock are known; otherwise the profile's
 *   assumptions apply
 * @throws ConfigurationError if no limit counts a journey's requests or its rehearsal stops before them, if one journey exceeds the
 *   daily quota, or if one is too long to rehearse; with every such problem
 */
export async function settleLoad(loaded: LoadedScenario, embedded: boolean): Promise<LoadedScenario> {
  const allowances = new Map<string, Allowance>();
  const settling = [...placedLoadModels(loaded.scenario)].map(([place, model]) => async () => {
    if (model.model !== 'paced-to-limits') return;
    allowances.set(place, await allowanceOf(loaded, model, embedded, { file: loaded.file, path: place }));
  });
  await together(...settling);
  const scenario = withLoadModels(loaded.scenario, (model, place) => {
    const allowance = allowances.get(place);
    return allowance === undefined ? model : { ...model, allowance };
  });
  return { ...loaded, scenario };
}

type Place = Pick<ConfigProblem, 'file' | 'path'>;

async function allowanceOf(
  loaded: LoadedScenario,
  model: PacedToLimits,
  embedded: boolean,
  place: Place,
): Promise<Allowance> {
  const { rate, concurrency, daily } = loaded.profile.limits;
  const serviceRate = serviceRateOf(loaded, embedded);
  const onRunClock = (us: number) => Math.ceil(us / serviceRate) as Micros;
  /** The most that all users together may send, so that no bucket of the scope exceeds the limit. */
  const forAllUsers = (limit: { readonly max: number; readonly scope: string }) =>
    Math.floor(limit.max / largestShare(loaded, model, limit.scope));
  const names = model.journeys ?? Object.keys(loaded.scenario.journeys);
  const costs = await Promise.all(names.map((name) => costOf(loaded, name, model, embedded)));
  const highest = (member: keyof Allowance['cost']) => Math.max(0, ...costs.map((cost) => cost[member]));
  const allowance = {
    limits: {
      rate: { max: forAllUsers(rate), windowUs: onRunClock(microsFromMillis(rate.window)) },
      concurrency: { max: forAllUsers(concurrency) },
      daily: { max: forAllUsers(daily), dayUs: onRunClock(longestDayUs(loaded, embedded)) },
    },
    cost: {
      requests: highest('requests'),
      newMessages: highest('newMessages'),
      openTurns: highest('openTurns'),
      openUs: highest('openUs') as Micros,
    },
  };
  check(allowance, costs, place);
  return allowance;
}

/** The largest share of the arrivals, which are assigned to its users in turn, that counts in one bucket of a limit's scope. */
function largestShare({ scenario, applications }: LoadedScenario, { onlyUsers }: PacedToLimits, scope: string): number {
  const nobody = { kind: 'basic', clientId: '', clientSecret: '' } as const;
  const { users } = participantsOf(scenario, new Map(applications.map(({ label }) => [label, nobody])));
  const taking = onlyUsers ? namedUsers(scenario.users, onlyUsers) : [...users.keys()];
  if (scope === 'address') return 1;
  // Tokens and conversations belong to one user: if no user exceeds the limit, none of them does.
  const bucketOf = (user: number) => (scope === 'application' ? users[user]?.application : user);
  const counts = new Map<unknown, number>();
  let most = 0;
  for (const user of taking) {
    const count = (counts.get(bucketOf(user)) ?? 0) + 1;
    counts.set(bucketOf(user), count);
    most = Math.max(most, count);
  }
  return most / taking.length;
}

/** The scenario with a sandbox that refuses nothing. */
export const withoutLimits = (loaded: LoadedScenario): LoadedScenario => ({
  ...loaded,
  scenario: {
    ...loaded.scenario,
    sandbox: { ...loaded.scenario.sandbox, limits: { rate: [], concurrency: [], daily: [] } },
  },
});

interface JourneyCost extends Readonly<Allowance['cost']> {
  /** Where its rehearsal stopped; absent: it went to its end. */
  readonly stopped?: string;
  /** Its name, if it is too long to rehearse in full: then it costs more than this. */
  readonly tooLong?: string;
}

/** The cost of one journey, rehearsed alone against a service without limits. */
async function costOf(
  loaded: LoadedScenario,
  journey: string,
  { turnsWithin }: PacedToLimits,
  embedded: boolean,
): Promise<JourneyCost> {
  const scenario = onlyOnce(loaded.scenario, journey);
  const alone = withoutLimits({ ...loaded, scenario });
  const { measurements, whole } = await rehearse(alone, compilePlan(scenario), embedded, {
    turnQuantile: turnsWithin,
    knowsConversations: true,
    roundTripUs: 1_000 as Micros,
  });
  const { operations, messages, journeys } = measurements.summary();
  const [stop] = journeys[journey]?.stoppedAt ?? [];
  const requests = loaded.profile.limits.rate.counts.reduce((sum, name) => sum + (operations[name]?.count ?? 0), 0);
  return {
    requests,
    newMessages: messages.newMessages,
    ...openAtOnce(measurements.turns(), assumedTurnUs(loaded, embedded, turnsWithin)),
    ...(stop && { stopped: `journey ${journey} stopped at ${stop.operation} (${stop.because})` }),
    ...(!whole && { tooLong: journey }),
  };
}

/** How many turns of a journey are in process at once, and for how long at least one is. */
function openAtOnce(turns: readonly TurnRow[], turnUs: Micros): Pick<Allowance['cost'], 'openTurns' | 'openUs'> {
  const open = turns.flatMap(({ acceptSentAt, acceptHeadersAt }) =>
    acceptSentAt === undefined || acceptHeadersAt === undefined
      ? []
      : [{ from: acceptSentAt, to: acceptHeadersAt + turnUs }],
  );
  const at = (instant: number) => open.filter(({ from, to }) => from <= instant && instant < to).length;
  const from = Math.min(...open.map((turn) => turn.from));
  const to = Math.max(...open.map((turn) => turn.to));
  return { openTurns: Math.max(0, ...open.map((turn) => at(turn.from))), openUs: Math.max(0, to - from) as Micros };
}

function check({ cost, limits }: Allowance, costs: readonly JourneyCost[], place: Place): void {
  const problem = (message: string, hint: string) => new ConfigurationError([{ ...place, message, hint }]);
  const stopped = costs.flatMap((of) => of.stopped ?? []);
  if (cost.requests === 0 && cost.openTurns === 0)
    throw stopped.length > 0
      ? problem(
          `what its journeys cost is unknown: in a rehearsal, ${stopped.join(', ')}`,
          'run it with --once --debug to see why',
        )
      : problem(
          'no declared limit counts what its journeys send',
          'give a rate: constant-rate, or a journey that sends messages',
        );
  if (cost.newMessages > limits.daily.max)
    throw problem(
      `a journey sends ${plural(cost.newMessages, 'new message')}, the declared day allows ${formatCount(limits.daily.max)}`,
      'send fewer messages in a journey',
    );
  const [tooLong] = costs.flatMap((of) => of.tooLong ?? []);
  if (tooLong !== undefined)
    throw problem(
      `what its journeys cost is unknown: journey ${tooLong} sends ${formatCount(MOST_EXCHANGES)} requests or more, too many to rehearse`,
      'shorten it, or give a rate: constant-rate',
    );
}
