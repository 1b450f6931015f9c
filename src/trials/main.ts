import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packageRoot } from '../base/index.ts';
import { command, say, UsageError, whole } from './command.ts';
import { CORPUS, writeCorpus } from './corpus/write.ts';
import { tryInJobs, workForParent } from './honest/jobs.ts';
import { describe } from './honest/tally.ts';
import { tryHonest } from './honest/try.ts';
import { killMatrix } from './matrix/matrix.ts';
import { csvOf, markdownOf, rowsOf } from './matrix/write.ts';

/*
 * Command line of the trials: npm run trials -- --help
 *
 * trials/ tests the judge: correct services of every kind are simulated in virtual time under random traffic, networks, clocks and
 * faults, and none may be accused; services with each known defect run through every shipped scenario.
 * It may import everything, because it connects judge and sandbox, which do not know each other. Other rooms must not import it, and it
 * is not in the package.
 */

const HELP = `npm run trials -- [options]

Simulates correct services in virtual time, under random traffic, networks, clocks and faults, and judges every history. If a
correct service is accused of anything, the judge has a bug, and the exit code is 1.

  --count N        number of histories (default 20000)
  --seed N         first seed (default 0); each seed always gives the same history
  --jobs N         number of processes (default 1)
  --journal FILE   with --count 1: write the history, for spillway check FILE
  --kill-matrix    instead: run every defect of the sandbox under every shipped scenario; writes results/trials/
  --corpus         instead: make the journals that src/check/corpus lacks, and judge all of them into its index

Examples
  npm run trials -- --count 1000000 --jobs 2
  npm run trials -- --seed 1281 --count 1 --journal 1281.ndjson
  npm run trials -- --kill-matrix`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '0' },
      jobs: { type: 'string', default: '1' },
      journal: { type: 'string' },
      'kill-matrix': { type: 'boolean', default: false },
      corpus: { type: 'boolean', default: false },
      'as-child': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(HELP);
  if (values['as-child']) {
    workForParent();
    return 0;
  }
  if (values['kill-matrix']) return writeMatrix();
  if (values.corpus) {
    const { made, all } = await writeCorpus(CORPUS);
    return say(`made ${made}, judged ${all} journals into src/check/corpus/index.ndjson; read the diff`);
  }
  const [count, from, jobs] = [
    whole('count', values.count, 1),
    whole('seed', values.seed, 0),
    whole('jobs', values.jobs, 1),
  ];
  if (values.journal !== undefined) {
    if (count !== 1) throw new UsageError('--journal writes one history: give --count 1');
    writeFileSync(values.journal, tryHonest(from).file());
  }
  const tally = await tryInJobs({ from, count }, jobs, import.meta.filename, ({ histories, accused }) => {
    process.stderr.write(`\r${histories} of ${count}, ${accused.length} accused`);
  });
  process.stderr.write('\n');
  return say(describe(tally, [from, from + count - 1]), tally.accused.length === 0 ? 0 : 1);
}

const FOLDER = fileURLToPath(new URL('results/trials', packageRoot));

async function writeMatrix(): Promise<number> {
  const matrix = await killMatrix((scenario) => process.stderr.write(`${scenario}\n`));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'kill-matrix.csv'), csvOf(matrix));
  writeFileSync(join(FOLDER, 'kill-matrix.md'), markdownOf(matrix));
  const alive = rowsOf(matrix).filter(({ best }) => !best);
  const { played, accused } = matrix.honest;
  return say(
    `${matrix.cells.length} cases into results/trials/; shown by nothing: ${alive.map(({ defect }) => defect).join(', ') || 'none'}; ${played} honest services, ${accused.length} charges against them`,
    accused.length === 0 ? 0 : 1,
  );
}

await command(main);
