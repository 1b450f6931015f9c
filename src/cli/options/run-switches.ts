import type { Argv } from 'yargs';
import { transportChoices } from '../../api/index.ts';
import { DASHBOARD_PORT } from '../../run/index.ts';
import { type RoundsArguments, withRounds } from '../commands/rounds.ts';
import { examples } from '../output/examples.ts';
import { type CsvFormatArguments, withCsvFormat } from './csv-format.ts';
import { type GateArguments, withGates } from './gate-options.ts';
import { type ScenarioArguments, withScenario } from './scenario-options.ts';
import { flag, number, text } from './switches.ts';

/** The command line of `spillway run`. */
export interface RunArguments extends ScenarioArguments, GateArguments, CsvFormatArguments, RoundsArguments {
  readonly gates: boolean;
  readonly out?: string | undefined;
  readonly yes: boolean;
  readonly debug: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly dashboard?: string | undefined;
  readonly workers: number;
}

/** Every switch of `spillway run`, with examples. */
export const runSwitches = (yargs: Argv) => withExamples(options(yargs));

function options(yargs: Argv) {
  return withRounds(withCsvFormat(withGates(withScenario(yargs))))
    .option('out', text('Folder for the results; must be new or empty; default results/<scenario>-<time>'))
    .option('transport', {
      requiresArg: true,
      choices: transportChoices,
      describe:
        "HTTP client; overrides the profile's: wire (HTTP/1.1, fastest), undici (HTTP/1.1, supports proxies), http2, or auto (undici if the profile names a proxy, else wire)",
    })
    .option('workers', {
      ...number('Worker threads. The users are divided among them; the plan stays the same'),
      default: 1,
    })
    .option('yes', {
      ...flag("Do not ask for confirmation before a run that may use more than half of a day's quota"),
      alias: 'y',
    })
    .option('debug', flag('Print each exchange as sent and received, with secrets removed; uses one worker'))
    .option('quiet', { ...flag('Print no progress, only the summary at the end'), alias: 'q' })
    .option('dashboard', {
      type: 'string',
      describe: `Serve a live report on 127.0.0.1 during the run, and metrics for Prometheus at /metrics; optional port, default ${DASHBOARD_PORT}, 0 picks a free one`,
    })
    .option('gates', { type: 'boolean', default: true, describe: 'Judge gates; --no-gates ignores all of them' })
    .option('json', flag('Print the summary and the gate results (member "gates") as JSON on stdout'));
}

function withExamples<T>(yargs: Argv<T>) {
  return yargs.epilogue(
    examples([
      ['run scenarios/tour.yaml', 'against the embedded sandbox'],
      [
        'run scenarios/smoke.yaml --target https://api.example.com --profile scenarios/profiles/example-remote.yaml',
        'against a real service',
      ],
      [
        "run scenarios/smoke.yaml --gate 'http_req_failed: rate<0.01' --gate 'rate_limited: rate<0.05' --gate 'limit.rate: not violated'",
        'exit code 99 unless all three gates pass',
      ],
      [
        'run scenarios/smoke.yaml --target https://a.example.com --repeat 10 --against https://b.example.com',
        'compare b with a, ten rounds of each',
      ],
      ["run scenarios/rate-limit-20-per-minute.yaml --set 'sandbox.defects=[O24]'", 'a service that breaks its limit'],
      [
        'run scenarios/steady-overload.yaml --real-time --target https://api.example.com',
        'a scenario of a sandbox whose clock is fast, at the pace of a real service',
      ],
      ['run scenarios/message-burst.yaml --workers 2 --quiet', 'send from two threads'],
      ['run scenarios/smoke.yaml --once --debug', 'one journey, every exchange printed'],
      ['run scenarios/tour.yaml --dashboard', 'with a live report in the browser'],
      ['run scenarios/message-burst.yaml --seed 42 --json', 'another seed, summary as JSON'],
    ]),
  );
}
