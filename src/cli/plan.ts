import type { CommandModule } from 'yargs';
import { ConfigurationError, formatDuration, together } from '../base/index.ts';
import type { Arrival, Plan } from '../plan/index.ts';
import { formatCount, plural } from '../report/index.ts';
import { planScenario, renderPrice } from '../run/index.ts';
import { chooseScenario, type ScenarioArguments, withScenario } from './scenario-options.ts';

interface PlanArguments extends ScenarioArguments {
  readonly json: boolean;
  readonly arrivals: number;
}

/** `spillway plan SCENARIO` */
export const planCommand: CommandModule<object, PlanArguments> = {
  builder: (args) =>
    withScenario(args)
      .option('arrivals', { requiresArg: true, type: 'number', default: 12, describe: 'How many arrivals to print' })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'One JSON object a line: the price, then every arrival',
      })
      .example('$0 plan scenarios/tour.yaml', 'what the tour will send')
      .example('$0 plan scenarios/daily-quota-50.yaml --target https://api.example.com', 'the price at a real service')
      .example('$0 plan scenarios/message-burst.yaml --json', 'every arrival, for a program') as never,
  handler: async (args) => {
    const [{ loaded, target }] = await together(
      () => chooseScenario(args),
      () => checkCount(args.arrivals),
    );
    const { plan, price } = await planScenario(loaded, { embedded: target === undefined });
    if (args.json) {
      process.stdout.write(
        `${JSON.stringify({ kind: 'price', scenario: loaded.scenario.name, seed: plan.seed, ...price })}\n`,
      );
      for (const arrival of plan.arrivals())
        process.stdout.write(`${JSON.stringify({ kind: 'arrival', ...arrival })}\n`);
      return;
    }
    process.stdout.write(
      `${phaseLines(plan, loaded.scenario.name)}\n${arrivalLines(plan, args.arrivals)}\n${renderPrice(price, loaded.profile.limits)}`,
    );
  },
};

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

function arrivalLines(plan: Plan, most: number): string {
  const shown: Arrival[] = [];
  for (const arrival of plan.arrivals()) {
    if (shown.length >= most) break;
    shown.push(arrival);
  }
  const lines = shown.map(
    ({ index, intendedAt, journey, user }) =>
      `  ${String(index).padStart(6)}  at ${formatDuration(intendedAt).padEnd(10)} ${journey.padEnd(20)} u${user + 1}`,
  );
  const left = plan.arrivalCount - shown.length;
  return [
    ...lines,
    ...(left > 0 ? [`  … and ${formatCount(left)} more (--arrivals N, or --json for all)`] : []),
    '',
  ].join('\n');
}
