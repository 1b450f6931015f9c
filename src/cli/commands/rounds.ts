import type { Argv } from 'yargs';
import { ConfigurationError, together } from '../../base/index.ts';
import { plural, renderComparison, renderGates, roundsDocument } from '../../report/index.ts';
import { type Against, type RoundsOutcome, tooFewRounds } from '../../run/index.ts';
import type { GateArguments } from '../options/gate-options.ts';
import { checkTarget } from '../options/scenario-options.ts';
import { number, text } from '../options/switches.ts';
import { tellGitHubOfRounds } from '../output/github.ts';
import { print, printJson, tell } from '../output/print.ts';
import { forPeople } from '../output/terminal.ts';

export interface RoundsArguments {
  readonly repeat?: number | undefined;
  readonly against?: string | undefined;
}

export const withRounds = <T>(args: Argv<T>) =>
  args
    .option('repeat', number('Run the scenario this many times into one folder; gates are judged over all rounds'))
    .option(
      'against',
      text(
        'With --repeat: also run every round against this base URL (or "sandbox"), interleaved, and compare it with --target, the baseline',
      ),
    );

/** The rounds of `--repeat`, and the other side of `--against`. */
export interface WantedRounds {
  readonly rounds: number;
  readonly against: Against | undefined;
}

/** @returns undefined for a single run @throws ConfigurationError with every problem */
export async function roundsOf(
  args: RoundsArguments & Pick<GateArguments, 'pool'> & { readonly dashboard?: string | undefined },
): Promise<WantedRounds | undefined> {
  const [rounds, against] = await together(
    () => repeatOf(args),
    () => againstOf(args),
    () => checkPool(args),
    () => checkDashboard(args),
  );
  return rounds === undefined ? undefined : { rounds, against };
}

function repeatOf({ repeat }: RoundsArguments): number | undefined {
  if (repeat === undefined || (Number.isInteger(repeat) && repeat >= 1 && repeat <= 999)) return repeat;
  throw problem('--repeat', 'must be a whole number from 1 to 999', 'write for example --repeat 10');
}

function againstOf({ repeat, against }: RoundsArguments): Against | undefined {
  if (against === undefined) return undefined;
  if (repeat === undefined)
    throw problem('--against', 'needs --repeat, which says how many rounds to run', 'add for example --repeat 10');
  if (against === 'sandbox') return {};
  checkTarget(against, '--against');
  return { target: against };
}

function checkPool({ repeat, pool }: RoundsArguments & Pick<GateArguments, 'pool'>): void {
  if (repeat !== undefined && pool.length > 0)
    throw problem('--pool', 'cannot be combined with --repeat', 'gates are judged over all rounds anyway');
}

/** A dashboard follows one journal, but each round has its own. */
function checkDashboard({ repeat, dashboard }: RoundsArguments & { readonly dashboard?: string | undefined }): void {
  if (repeat !== undefined && dashboard !== undefined)
    throw problem('--dashboard', 'cannot be combined with --repeat', 'each round writes its own report.html');
}

const problem = (path: string, message: string, hint: string) => new ConfigurationError([{ path, message, hint }]);

/** Warns about too few rounds, before anything is sent or confirmed. */
export function tellTooFew(wanted: WantedRounds | undefined): void {
  const why = wanted && tooFewRounds(wanted);
  if (why !== undefined) tell(`${why}; they are run all the same`);
}

/** Prints the gates of each side over all rounds, the comparison, and why rounds failed or are left out; annotates a GitHub run. */
export function showRounds(outcome: RoundsOutcome, json: boolean): void {
  const { judged, folder, runs } = outcome;
  const { comparison, gates } = judged;
  if (json) printJson(documentOf(outcome));
  const { stream, shown } = forPeople(json);
  for (const side of ['base', 'candidate'] as const) {
    const text = gates[side] === undefined ? '' : renderGates(gates[side], shown);
    const whose = judged.targets.candidate === undefined ? '' : `${side}, `;
    if (text !== '') print(stream, `${whose}${text}\n`);
  }
  if (comparison) print(stream, renderComparison(comparison, shown));
  print(stream, `results: ${folder} (${plural(runs.length, 'run')})\n`);
  tellFlaws(outcome);
  tellGitHubOfRounds(judged, stream);
}

/** `rounds.json`, with the exit code of each run and the comparison. */
function documentOf({ judged, folder, runs }: RoundsOutcome) {
  const { brokenOff, comparison, gates, ...list } = judged;
  return {
    ...roundsDocument({
      ...list,
      runs: judged.runs.map(({ run: _, ...listed }) => listed),
      gates,
      ...(brokenOff !== undefined && { brokenOff }),
    }),
    folder,
    exitCodes: runs.map(({ exitCode }) => exitCode),
    ...(comparison && { comparison }),
  };
}

function tellFlaws({ judged: { brokenOff, gates, rounds }, runs }: RoundsOutcome): void {
  for (const run of runs) for (const why of reasonsOf(run)) tell(`${run.folder}: ${why}`);
  if (brokenOff !== undefined) return tell(brokenOff);
  const valid = gates.base?.runs.length ?? 0;
  if (valid < rounds)
    tell(
      `${valid} of ${plural(rounds, 'round')} ${rounds === 1 ? 'is' : 'are'} judged; rounds with an invalid run are left out`,
    );
}

/** Why a single round makes the whole fail. Gates are not included, because they are judged over all rounds. */
function* reasonsOf({ invalid, failed, document, exported }: RoundsOutcome['runs'][number]): Generator<string> {
  for (const { violation, claim } of document.proven) yield `proven: ${violation}: ${claim}`;
  if (invalid !== undefined) yield `the run is invalid: ${invalid}`;
  const { unmet } = exported.summary.expectations;
  if (unmet > 0) yield `${plural(unmet, 'expectation')} not met`;
  else if (failed !== undefined) yield failed;
}
