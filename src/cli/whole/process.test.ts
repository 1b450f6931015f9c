import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, root, shipped, spillway, temporaryFolder } from '../../testing/cli.ts';
import { badFiles, folderOf, smoke } from './wrong-lines.exam.ts';

describe.concurrent('the process', { timeout: PATIENCE_MS }, () => {
  it.each([
    { args: [], code: 104 },
    { args: ['run', 'throws.ts'], code: 107 },
    { args: ['run', smoke, '--out', 'notes.txt/below'], code: 12 },
    { args: ['--help'], code: 0 },
  ])('of spillway $args exits with $code', async ({ args, code }) => {
    const finished = await spillway(args, { cwd: folderOf(badFiles) });
    expect(finished.code).toBe(code);
    expect(finished.err === '').toBe(code === 0);
    expect(finished.err).not.toContain('a defect in spillway itself');
  });

  it.skipIf(!existsSync('/dev/full'))('reports that the output cannot be written to a full disk', async () => {
    const { code, err } = await spillway(['plan', shipped('smoke.yaml')], { before: 'exec >/dev/full' });
    expect(code).toBe(12);
    expect(err).toBe('spillway: cannot write the output: ENOSPC: no space left on device, write\n');
  });

  it('ends although a TypeScript scenario keeps something open', async () => {
    const file = join(temporaryFolder(), 'open.ts');
    const journeys = '{ ask: { steps: [{ createConversation: {} }] } }';
    const scenario = `{ name: 'open', journeys: ${journeys}, load: { model: 'burst', count: 1 } }`;
    writeFileSync(file, `setInterval(() => undefined, 1_000);\nexport default ${scenario};\n`);
    const [planned, ran] = [await spillway(['plan', file, '--json']), await spillway(['run', file, '--json'])];
    expect([planned.code, ran.code, ran.err]).toEqual([0, 0, expect.stringContaining('nothing is proven')]);
    expect(
      planned.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
    ).toEqual(['price', 'arrival']);
    expect(JSON.parse(ran.out).format).toBe('spillway-summary');
  });

  it('reads a scenario from standard input, and exits without an error if its reader closes the pipe', async () => {
    const line = 'node "$0" plan - --json < "$1" | head -1; exit "${PIPESTATUS[0]}"';
    const { code, out, err } = await shell(line, join(root, 'dist/cli/main.js'), shipped('smoke.yaml'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ kind: 'price', scenario: 'smoke' });
  });
});

/** In another locale bash may have a warning of its own. */
const env = { ...process.env, LC_ALL: 'C' };

function shell(line: string, ...args: readonly string[]) {
  return new Promise<{ code: number | null; out: string; err: string }>((done) => {
    const child = execFile('bash', ['-c', line, ...args], { cwd: temporaryFolder(), env }, (_, out, err) =>
      done({ code: child.exitCode, out, err }),
    );
  });
}
