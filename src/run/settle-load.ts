import { ConfigurationError, type Micros, type Millis, microsFromMillis } from '../base/index.ts';
import type { TurnRow } from '../collect/index.ts';
import { compilePlan } from '../plan/index.ts';
import type { Allowance, LoadedScenario, LoadModel, Scenario } from '../scenario/index.ts';
import { participantsOf } from '../schedule/index.ts';
import { assumedTurnUs, rehearse } from './rehearse.ts';
import { serviceRateOf } from './target.ts';

type PacedToLimits = Extract<LoadModel, { model: 'paced-to-limits' }>;

/**
 * Settles what of a load model depends on the target: how fast `paced-to-limits` may go. A journey's cost is found by
 * rehearsing it once without limits, so that it cannot differ from what will be done.
 * @param embedded whether the embedded sandbox will serve, whose turns and clock are known; else the profile assumes them
 * @throws ConfigurationError for a pace that no limit bounds, or that a limit forbids
 */
export async function settleLoad(loaded: LoadedScenario, embedded: boolean): Promise<LoadedScenario> {
  const { load, phases } = loaded.scenario;
  const settled = async <M extends LoadModel>(model: M, place: string): Promise<M> =>
    model.model === 'paced-to-limits'
      ? { ...model, allowance: checked(await allowanceOf(loaded, model, embedded), place) }
      : model;
  const all = <M extends LoadModel>(models: readonly M[], place: string) =>
    Promise.all(models.map((model, m) => settled(model, `${place}[${m}]`)));
  if (load !== undefined) {
    const settledLoad = Array.isArray(load) ? await all(load, 'load') : await settled(load, 'load');
    return { ...loaded, scenario: { ...loaded.scenario, load: settledLoad } };
  }
  const settledPhases = await Promise.all(
    (phases ?? []).map(async (phase, p) => ({ ...phase, load: await all(phase.load, `phases[${p}].load`) })),
  );
  return { ...loaded, scenario: { ...loaded.scenario, ...(phases && { phases: settledPhases }) } };
}

const DAY_US = 86_400_000_000;

async function allowanceOf(loaded: LoadedScenario, model: PacedToLimits, embedded: boolean): Promise<Allowance> {
  const { rate, concurrency, daily } = loaded.profile.limits;
  const perService = serviceRateOf(loaded, embedded);
  const onRunClock = (us: number) => Math.ceil(us / perService) as Micros;
  const together = (limit: { readonly max: number; readonly scope: string }) =>
    Math.floor(limit.max / largestShare(loaded, limit.scope));
  const names = model.journeys ?? Object.keys(loaded.scenario.journeys);
  const costs = await Promise.all(names.map((name) => costOf(loaded, name, model, embedded)));
  const dearest = (member: keyof Allowance['cost']) => Math.max(0, ...costs.map((cost) => cost[member]));
  return {
    limits: {
      rate: { max: together(rate), windowUs: onRunClock(microsFromMillis(rate.window)) },
      concurrency: { max: together(concurrency) },
      daily: { max: together(daily), dayUs: onRunClock(DAY_US) },
    },
    cost: {
      requests: dearest('requests'),
      newMessages: dearest('newMessages'),
      openTurns: dearest('openTurns'),
      openUs: dearest('openUs') as Micros,
    },
  };
}

/** The share of the arrivals, which take users in turn, that falls on whoever meets the limit most often. */
function largestShare({ scenario, applications }: LoadedScenario, scope: string): number {
  const nobody = { kind: 'basic', clientId: '', clientSecret: '' } as const;
  const { users } = participantsOf(scenario, new Map(applications.map(({ label }) => [label, nobody])));
  if (scope === 'address') return 1;
  // A conversation belongs to one user: who keeps a user within the limit keeps the conversation within it.
  if (scope !== 'application') return 1 / users.length;
  const counts = new Map<string, number>();
  for (const { application } of users) counts.set(application, (counts.get(application) ?? 0) + 1);
  return Math.max(...counts.values()) / users.length;
}

/** As it would be sent to a service that admits whatever comes. */
export const withoutLimits = (loaded: LoadedScenario): LoadedScenario => ({
  ...loaded,
  scenario: {
    ...loaded.scenario,
    sandbox: { ...loaded.scenario.sandbox, limits: { rate: [], concurrency: [], daily: [] } },
  },
});

/** One journey, rehearsed alone against a service without limits. */
async function costOf(
  loaded: LoadedScenario,
  journey: string,
  { turnsWithin }: PacedToLimits,
  embedded: boolean,
): Promise<Allowance['cost']> {
  const { phases: _, ...rest } = loaded.scenario;
  const scenario: Scenario = {
    ...rest,
    load: { model: 'burst', count: 1, gap: 0 as Millis, start: 0 as Millis, journeys: [journey] },
    warmUp: 0 as Millis,
  };
  const alone = withoutLimits({ ...loaded, scenario });
  const { measurements } = await rehearse(alone, compilePlan(scenario), embedded, {
    turnQuantile: turnsWithin,
    knowsConversations: true,
    roundTripUs: 1_000 as Micros,
  });
  const { operations, messages } = measurements.summary();
  const requests = loaded.profile.limits.rate.counts.reduce((sum, name) => sum + (operations[name]?.count ?? 0), 0);
  return {
    requests,
    newMessages: messages.newMessages,
    ...openAtOnce(measurements.turns(), assumedTurnUs(loaded, embedded, turnsWithin)),
  };
}

/** How many turns of a journey are in process at once, and how long any is. */
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

function checked(allowance: Allowance, place: string): Allowance {
  const { cost, limits } = allowance;
  const refuse = (message: string, hint: string) => new ConfigurationError([{ path: place, message, hint }]);
  if (cost.requests === 0 && cost.openTurns === 0)
    throw refuse(
      'no declared limit counts what its journeys send',
      'give a rate: constant-rate, or a journey that sends messages',
    );
  if (cost.newMessages > limits.daily.max)
    throw refuse(
      `a journey sends ${cost.newMessages} new messages, the declared day allows ${limits.daily.max}`,
      'send fewer messages in a journey',
    );
  return allowance;
}
