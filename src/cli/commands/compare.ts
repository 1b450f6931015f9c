import { join } from 'node:path';
import type { Argv } from 'yargs';
import { ExitCode, together } from '../../base/index.ts';
import { COMPARISON_PAGE, renderComparison } from '../../report/index.ts';
import { type CompareOptions, checkMetrics, compareOnDisk, differences, type RunDifference } from '../../run/index.ts';
import { showInBrowser } from '../failures/open-file.ts';
import { type SlackArguments, slackOf, withSlack } from '../options/slack.ts';
import { flag, text, texts } from '../options/switches.ts';
import { examples } from '../output/examples.ts';
import { tellGitHubOfComparison } from '../output/github.ts';
import { print, printJson } from '../output/print.ts';
import { forPeople } from '../output/terminal.ts';
import type { Command } from './command.ts';

interface CompareArguments extends SlackArguments {
  readonly base: string;
  readonly candidates: readonly string[];
  readonly metric: readonly string[];
  readonly allow: readonly RunDifference[];
  readonly out?: string | undefined;
  readonly open: boolean;
  readonly json: boolean;
}

/** `spillway compare BASE CANDIDATE…` */
export const compareCommand: Command<CompareArguments> = {
  builder: (args) =>
    withSlack(withRuns(args))
      .option('allow', {
        array: true,
        nargs: 1,
        choices: differences,
        default: [] as RunDifference[],
        describe: 'Compare runs although they differ in this, or are incomplete or invalid; may be repeated',
      })
      .option(
        'out',
        text(
          'Folder for comparison.html, .md and .json; default: the folder of the rounds; for other runs, or with --metric or another slack, results/comparison-<time>',
        ),
      )
      .option('open', flag('Open comparison.html in the browser'))
      .option('json', flag('Print the comparison as JSON on stdout'))
      .epilogue(
        examples([
          ['compare latest', 'baseline and candidate of the newest rounds'],
          ['compare results/before results/after --open', 'two runs, or two folders of rounds'],
          ["compare latest --metric 'turn_completion: p(90)' --slack-absolute 50ms", 'by one metric'],
        ]),
      )
      .epilogue(
        'The statistics are over rounds (runs), not requests, so one run of each side cannot show a difference. Twelve interleaved rounds detect a slowdown of 10 %: see spillway run --repeat.\nExit code 99: something is worse.',
      ) as never,
  look: chooseComparison,
  handler: async (args) => {
    const [slack] = await chooseComparison(args);
    const options: CompareOptions = {
      base: args.base,
      candidates: args.candidates,
      metrics: args.metric,
      slack,
      allow: args.allow,
      out: args.out,
    };
    const compared = await compareOnDisk(options);
    const { comparison, folder } = compared;
    if (args.json) printJson(comparison);
    const { stream, shown } = forPeople(args.json);
    const page = join(folder, COMPARISON_PAGE);
    print(stream, `${renderComparison(comparison, shown)}results: ${page}, comparison.md, comparison.json\n`);
    tellGitHubOfComparison(compared, stream);
    if (args.open) await showInBrowser(page);
    return comparison.regressed ? ExitCode.gateFailed : ExitCode.ok;
  },
};

const withRuns = <T>(args: Argv<T>) =>
  args
    .positional('base', {
      type: 'string',
      demandOption: true,
      describe:
        'The baseline: a run, a folder of rounds, or "latest". Without candidates it must hold rounds of spillway run --repeat N --against TARGET',
    })
    .positional('candidates', {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Runs or folders of rounds, each compared with the baseline',
    })
    .option(
      'metric',
      texts(
        "What to compare, for example 'turn_completion: p(90)'; may be repeated; default medians of times, completed journeys, and shares of failures, refusals and turns not completed",
      ),
    );

function chooseComparison(args: CompareArguments) {
  return together(
    () => slackOf(args),
    () => checkMetrics(args.metric),
  );
}
