import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { groupedBy } from '../../base/index.ts';
import { command, say, UsageError, whole } from '../command.ts';
import { scoreOf } from './score.ts';

/*
 * Command line of the mutation tests: npm run mutation -- --help
 */

/** Rooms whose tests start the built command, in which there are no mutants, and one without tests. */
const NOT_HERE = ['bench', 'cli', 'run', 'testing', 'trials'];

const HELP = `npm run mutation -- [options]

Changes the code of one room in one place at a time (Stryker), and runs the tests of that room until one fails. Mutants that
no test notices are alive: a behaviour without a test, a test in another room, or an equivalent change.

  --room NAME      folder of src/ (default check; not ${NOT_HERE.join(', ')}: their tests run what is built)
  --sample N       number of mutants, drawn at random (default: all, which takes many hours)
  --seed N         seed of the sample (default 1)
  --in PATTERN     files of the room to mutate; may be repeated (default: all)

Prints the score, the share of mutants that a test noticed, with its 95 % confidence interval.

Examples
  npm run mutation -- --sample 400 --seed 7
  npm run mutation -- --room gates --sample 200
  npm run mutation -- --in 'src/check/days/*.ts'`;

/** Tests, and a generated file of types, which a test compares byte by byte and Stryker would print anew. */
const NOT_MUTATED = ['!src/**/*.test.ts', '!src/**/*.exam.ts', '!src/scenario/scenario-input.ts'];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sample: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      room: { type: 'string', default: 'check' },
      in: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(HELP);
  const sample = { size: whole('sample', values.sample, 0), seed: whole('seed', values.seed, 0) };
  const room = mutatedRoom(values.room);
  const outside = values.in?.filter((pattern) => !pattern.startsWith(`src/${room}/`)) ?? [];
  // Their mutants would all survive, because only the tests of the room run.
  if (outside.length > 0) throw new UsageError(`${outside.join(', ')}: not in src/${room}/; write --room, too`);
  // Read by the configuration of the tests, which run in processes of Stryker's.
  process.env.SPILLWAY_MUTATED_ROOM = room;
  const options = {
    configFile: 'src/trials/mutation/stryker.config.json',
    sample,
    mutate: [...(values.in ?? [`src/${room}/**/*.ts`]), ...NOT_MUTATED],
  };
  // The types of Stryker lack options of plugins.
  const mutants = await new Stryker(options as object).runMutationTest();
  const tried = mutants.filter(({ status }) => isAlive(status) || isDead(status));
  const alive = tried.filter(({ status }) => isAlive(status));
  for (const [name, members] of byFolder(tried, room)) say(`${name.padEnd(12)} ${told(members)}`);
  say(`${'all'.padEnd(12)} ${told(tried)}`);
  for (const one of alive.toSorted(byPlace)) say(sayMutant(one));
  return 0;
}

/** @throws UsageError if there is no such room, or if none of its mutants could be noticed */
function mutatedRoom(name: string): string {
  const rooms = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_HERE.includes(entry.name))
    .map((entry) => entry.name);
  if (!rooms.includes(name)) throw new UsageError(`--room must be one of ${rooms.join(', ')}, not "${name}"`);
  return name;
}

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const isAlive = (status: string | undefined) => status === 'Survived' || status === 'NoCoverage';
const isDead = (status: string | undefined) => status === 'Killed' || status === 'Timeout';

function told(tried: readonly Mutant[]): string {
  if (tried.length === 0) return 'no mutants';
  const killed = tried.filter(({ status }) => isDead(status)).length;
  const { share, low, high } = scoreOf(killed, tried.length);
  return `${percent(share)} (${killed} of ${tried.length} noticed; 95 %: ${percent(low)} to ${percent(high)})`;
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function byFolder(mutants: readonly Mutant[], room: string): [string, Mutant[]][] {
  const pattern = new RegExp(`/src/${room}/(?:([^/]+)/)?`);
  const folders = groupedBy(mutants, ({ fileName }) => pattern.exec(fileName)?.[1] ?? '(on top)');
  return [...folders].sort(([a], [b]) => a.localeCompare(b));
}

function sayMutant({ fileName, location, mutatorName, replacement, status }: Mutant): string {
  const { line, column } = location.start;
  const place = `${fileName.replace(/^.*\/src\//, 'src/')}:${line}:${column}`;
  return `${status} ${place} ${mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 120)}`;
}

const byPlace = (a: Mutant, b: Mutant) =>
  a.fileName.localeCompare(b.fileName) || a.location.start.line - b.location.start.line;

await command(main);
