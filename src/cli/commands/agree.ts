import { createInterface } from 'node:readline/promises';
import { ConfigurationError } from '../../base/index.ts';
import {
  checkBudget,
  manyTimes,
  planScenario,
  renderPrice,
  shortGateNotes,
  shortSecrets,
  spendsMuch,
  unreachedLimitNotes,
  whatItSpends,
} from '../../run/index.ts';
import type { ChosenScenario } from '../options/scenario-options.ts';
import { tell } from '../output/print.ts';
import type { WantedRounds } from './rounds.ts';

interface Agreement {
  readonly yes: boolean;
  /** Folders of earlier runs whose samples count for the gates. */
  readonly pool?: readonly string[] | undefined;
}

/** Asks for confirmation for every target other than the embedded sandbox, for all rounds together. */
export async function agreeAll(
  args: Agreement,
  chosen: ChosenScenario,
  wanted: WantedRounds | undefined,
): Promise<void> {
  const targets = [chosen.target, wanted?.against?.target].filter((target) => target !== undefined);
  if (targets.length > 0) for (const warning of shortSecrets(chosen.loaded, chosen.env)) tell(warning);
  for (const target of targets) await agree(chosen, target, args, wanted?.rounds ?? 1);
}

/** Protects other people's services: shows the price, checks the budget, and asks for confirmation if the run spends much. */
async function agree(
  { loaded }: ChosenScenario,
  target: string,
  { yes, pool }: Agreement,
  rounds: number,
): Promise<void> {
  const { price: ofOne, shortGates, unreachedLimits } = await planScenario(loaded, { embedded: false });
  const price = manyTimes(ofOne, rounds);
  const each = rounds === 1 ? '' : `, in each of ${rounds} rounds`;
  process.stderr.write(
    `This will be sent to ${new URL(target).origin}${each}:\n${renderPrice(ofOne, loaded.profile.limits, { rounds })}`,
  );
  const notes = [...shortGateNotes(shortGates, rounds), ...unreachedLimitNotes(unreachedLimits, rounds)];
  // What the pooled runs have is not known yet.
  if (pool === undefined || pool.length === 0) for (const note of notes) tell(note);
  checkBudget(price, loaded.profile);
  if (!spendsMuch(price, loaded.profile) || yes) return;
  if (!process.stdin.isTTY) {
    throw new ConfigurationError([
      { path: '--yes', message: whatItSpends(price, loaded.profile), hint: 'add --yes to run it anyway' },
    ]);
  }
  if (!(await isAgreed(`${whatItSpends(price, loaded.profile)}. Continue? [y/N] `)))
    throw new ConfigurationError([{ path: '', message: 'not confirmed; nothing was sent' }]);
}

/** Asks for confirmation. The end of input and Ctrl-C count as no. */
async function isAgreed(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const silence = new AbortController();
  prompt.once('close', () => silence.abort());
  prompt.once('SIGINT', () => prompt.close());
  try {
    return /^y(es)?$/i.test((await prompt.question(question, { signal: silence.signal })).trim());
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    process.stderr.write('\n');
    return false;
  } finally {
    prompt.close();
  }
}
