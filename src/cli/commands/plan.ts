import {
  ConfigurationError,
  ExitCode,
  formatDuration,
  formatProblem,
  type Millis,
  microsFromMillis,
  together,
} from '../../base/index.ts';
import type { Plan } from '../../plan/index.ts';
import { formatCount, plural } from '../../report/index.ts';
import {
  budgetProblems,
  type Price,
  planLines,
  planScenario,
  renderPrice,
  shortGateNotes,
  stageProblems,
  unreachedLimitNotes,
} from '../../run/index.ts';
import { checkHeaders } from '../../scenario/index.ts';
import {
  type ChosenScenario,
  chooseScenario,
  type ScenarioArguments,
  withScenario,
} from '../options/scenario-options.ts';
import { flag, gateSwitch, number } from '../options/switches.ts';
import { examples } from '../output/examples.ts';
import { printAll, tell } from '../output/print.ts';
import type { Command } from './command.ts';
import { scenarioNotes } from './scenario-notes.ts';

interface PlanArguments extends ScenarioArguments {
  readonly gate: readonly string[];
  readonly json: boolean;
  readonly arrivals: number;
}

/** `spillway plan SCENARIO` */
export const planCommand: Command<PlanArguments> = {
  builder: (args) =>
    withScenario(args)
      .option('gate', gateSwitch)
      .option('arrivals', { ...number('How many arrivals to print'), default: 12 })
      .option('json', flag('Print NDJSON: the cost forecast, then one line per arrival'))
      .epilogue(
        examples([
          ['plan scenarios/tour.yaml', 'what the tour would send'],
          [
            'plan scenarios/daily-quota-50.yaml --target https://api.example.com',
            'what it would cost at a real service',
          ],
          [
            'plan scenarios/rate-limit-20-per-minute.yaml --real-time --target https://api.example.com',
            'how long it takes where a minute lasts a minute',
          ],
          [
            "plan scenarios/smoke.yaml --gate 'turn_completion: p(90)<8000'",
            'whether the plan has enough samples for a gate',
          ],
          ['plan scenarios/message-burst.yaml --json', 'every arrival as NDJSON'],
        ]),
      ) as never,
  look: choosePlan,
  handler: async (args) => {
    const chosen = await choosePlan(args);
    const { loaded, target } = chosen;
    const planned = await planScenario(args.once ? { ...loaded, gates: [] } : loaded, {
      embedded: target === undefined,
    });
    const { plan, price, shortGates, unreachedLimits } = planned;
    const { name } = loaded.scenario;
    const notes = [...scenarioNotes(chosen), ...shortGateNotes(shortGates), ...unreachedLimitNotes(unreachedLimits)];
    for (const note of notes) tell(note);
    const wouldRefuse = [
      // One journey has no stages; what it sends can be told all the same.
      ...(args.once ? stageProblems(loaded) : []),
      // A run against the embedded sandbox has no budget.
      ...(target === undefined ? [] : budgetProblems(price, loaded.profile)),
    ];
    if (args.json) {
      await printAll(jsonLines(planLines(planned, name, wouldRefuse)));
      return ExitCode.ok;
    }
    await printAll([phaseLines(plan, name), warmUpLine(loaded.scenario.warmUp, price)]);
    await printAll(arrivalLines(plan, args.arrivals));
    await printAll([
      `\n${renderPrice(price, loaded.profile.limits, target === undefined ? { embedded: loaded } : {})}`,
    ]);
    if (wouldRefuse.length > 0)
      await printAll([
        '\nspillway run would refuse this plan:\n',
        ...wouldRefuse.map((problem) => `  ${formatProblem(problem)}\n`),
      ]);
    return ExitCode.ok;
  },
};

async function choosePlan(args: PlanArguments): Promise<ChosenScenario> {
  const [chosen] = await together(
    () => chooseScenario(args),
    () => checkCount(args.arrivals),
  );
  const { loaded, target, env } = chosen;
  if (target !== undefined) checkHeaders(loaded.profileFile, loaded.profile.client.headers, env);
  return chosen;
}

function* jsonLines(documents: Iterable<object>): Generator<string> {
  for (const document of documents) yield `${JSON.stringify(document)}\n`;
}

function checkCount(arrivals: number): void {
  if (Number.isInteger(arrivals) && arrivals >= 0) return;
  throw new ConfigurationError([{ path: '--arrivals', message: 'must be a whole number of at least 0' }]);
}

function phaseLines(plan: Plan, name: string): string {
  const lines = plan.phases.map(
    (phase) =>
      `  ${phase.name.padEnd(16)} from ${formatDuration(phase.startUs).padEnd(8)} ${phase.load.join('; and ')}`,
  );
  return [
    `${name}, seed ${plan.seed}: ${plural(plan.arrivalCount, 'planned arrival')}${plan.loops.length > 0 ? `, and ${plural(plan.loops.length, 'user')} in a loop` : ''}`,
    ...lines,
    '',
  ].join('\n');
}

/** Empty without a warm-up. */
function warmUpLine(warmUp: Millis, { whole, durationUs }: Price): string {
  if (warmUp === 0) return '';
  const isAll = whole && durationUs.high <= microsFromMillis(warmUp);
  return `  ${'warm-up'.padEnd(16)} until ${formatDuration(microsFromMillis(warmUp))}: ${isAll ? 'the whole plan, so that nothing would be measured' : 'left out of all metrics'}\n`;
}

function* arrivalLines(plan: Plan, most: number): Generator<string> {
  if (plan.arrivalCount > 0) yield '\n';
  let shown = 0;
  for (const { index, intendedAt, journey, user } of plan.arrivals()) {
    if (shown >= most) break;
    shown += 1;
    yield `  ${String(index).padStart(6)}  at ${formatDuration(intendedAt).padEnd(10)} ${journey.padEnd(20)} u${user + 1}\n`;
  }
  const left = plan.arrivalCount - shown;
  if (left > 0) yield `  … and ${formatCount(left)} more (--arrivals N, or --json for all)\n`;
}
