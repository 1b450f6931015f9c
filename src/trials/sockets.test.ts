import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import type { DefectId } from '../api/index.ts';
import type { VerdictsDocument } from '../report/index.ts';
import { PATIENCE_MS, shipped, temporaryFolder } from '../testing/cli.ts';
import { isWhole } from '../testing/share.ts';
import { typed } from '../testing/typed.ts';

/*
 * Some cases of the kill matrix over real sockets: the compiled command, the sandbox in its own process, real time.
 */

/** Writes a shipped scenario with a defect in its sandbox. @returns its path */
function withDefect(scenario: string, defect: DefectId): string {
  const document = parseDocument(readFileSync(shipped(`${scenario}.yaml`), 'utf8'));
  document.setIn(['sandbox', 'defects'], [defect]);
  const file = join(temporaryFolder(), `${scenario}.yaml`);
  writeFileSync(file, document.toString());
  return file;
}

/** Defect, scenario, and the violation that must be proven. None is a race, so the speed of the machine does not matter. */
const cases = [
  ['I9', 'remembered-messages', 'message-of-two-turns'],
  ['C2', 'invalid-requests', 'concurrency'],
  ['I11', 'idempotent-resend', 'message-of-two-turns'],
] as const satisfies readonly (readonly [DefectId, string, string])[];

describe.concurrent('over real sockets', { timeout: PATIENCE_MS }, () => {
  it.each(cases)('%s is convicted by %s: %s, and the run ends with 10', async (defect, scenario, violation) => {
    const folder = join(temporaryFolder(), 'results');
    const finished = await typed(['run', withDefect(scenario, defect), '--quiet', '--out', folder]);
    expect(finished.code, `${finished.out}\n${finished.err}`).toBe(10);
    const { proven } = JSON.parse(readFileSync(join(folder, 'verdicts.json'), 'utf8')) as VerdictsDocument;
    expect(proven.map((proof) => proof.violation)).toContain(violation);
  });

  it.runIf(isWhole)(
    'O24 is convicted by rate-limit-20-per-minute under the reading that the service declares',
    async () => {
      const folder = join(temporaryFolder(), 'results');
      await typed(['run', withDefect('rate-limit-20-per-minute', 'O24'), '--quiet', '--out', folder]);
      const checked = await typed(['check', folder, '--declared', 'fixed-window-aligned', '--json']);
      expect(checked.code, checked.err).toBe(10);
      expect(JSON.parse(checked.out)).toMatchObject({
        limits: [{ limit: 'rate', verdict: 'violated', because: 'over-admission' }, {}, {}],
      });
    },
  );
});
