import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../base/index.ts';
import { PATIENCE_MS, root, temporaryFolder, until } from '../../testing/cli.ts';
import { journalLines, resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { Screen } from '../../testing/screen.ts';

const phased = `name: phased
${WHATEVER_THE_MACHINE}
sandbox: { limits: { rate: 20, concurrency: 2, daily: 2 } }
profile: { limits: { daily: { max: 2 } } }
journeys:
  ask: { onRefused: continue, steps: [createConversation: {}, sendMessage: { message: Hello }, followTurn: { by: stream }] }
  read: { onRefused: continue, steps: [createConversation: {}, burst: { of: readHistory, count: 24 }] }
phases:
  - { name: talking, load: [{ model: constant-rate, rate: 2/s, duration: 2s, journeys: [ask] }] }
  - { name: reading, load: [{ model: burst, count: 1, journeys: [read] }], duration: 1s }
`;

/** Ends a synchronized update, which the terminal shows at once. */
const DRAWN = '\u001b[?2026l';

type Ended = (code: number | null, written: string) => void;

/** Runs the scenario in a terminal of 80 × 24; killing the terminal hangs it up. */
function startInTerminal(env: Readonly<Record<string, string>>, args: readonly string[], ended: Ended) {
  const command = [process.execPath, join(root, 'dist/cli/main.js'), 'run', ...args].map(shellWord).join(' ');
  const child = execFile(
    'script',
    ['--quiet', '--return', '--command', `stty cols 80 rows 24; exec ${command}`, '/dev/null'],
    { env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env }, cwd: temporaryFolder(), encoding: 'utf8' },
    (_, written) => ended(child.exitCode, written),
  );
  return child;
}

/** Resolves with everything that was written to the terminal. */
const inTerminal = (env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly code: number | null; readonly written: string }>((done) => {
    startInTerminal(env, [scenarioFile(phased)], (code, written) => done({ code, written }));
  });

describe
  .skipIf(!existsSync('/usr/bin/script'))
  .concurrent('a run at a terminal of 80 × 24', { timeout: PATIENCE_MS }, () => {
    it.each([
      { colour: true, env: {} },
      { colour: false, env: { NO_COLOR: '1' } },
    ])(
      'shows phases, limits, refusals and latency in place, then only the table (colour: $colour)',
      async ({ colour, env }) => {
        const { code, written } = await inTerminal(env);
        expect(code, written).toBe(0);
        const screens: (readonly string[])[] = [];
        const screen = new Screen(80, 24);
        for (const drawing of written.split(DRAWN)) {
          screen.write(drawing);
          screens.push([...screen.lines]);
        }
        expect(screen.overflows).toBe(0);
        expect(screen.cutMoves).toBe(0);
        const during = screens.filter((lines) => lines.some((line) => line.startsWith('UTC day ')));
        const text = during.map((lines) => lines.join('\n')).join('\n');
        expect(text).toMatch(/^talking {7}█+░* {2}[\d.]+ m?s left$/m);
        expect(text).toMatch(/^reading {7}░{24} {2}in [\d.]+ m?s$/m);
        expect(text).toMatch(/^run {11}[\d.]+ m?s, [\d.]+ m?s left; now talking$/m);
        expect(text).toMatch(/^minute {8}█+░* {2}\d+ of 20$/m);
        expect(text).toMatch(/^open turns {4}█*░* {2}at most \d of 2$/m);
        expect(text).toMatch(/^UTC day {7}█+ {2}2 of 2$/m);
        expect(text).toMatch(/^refused {7}rate \d+, concurrency \d+, daily [1-9]/m);
        expect(text).toMatch(/^requests {6}\d+, [\d.]+\/s; now p50 [\d.]+ ms/m);
        const last = screens.at(-1) ?? [];
        expect([...screen.scrolledOut, ...last].join('\n')).not.toContain('UTC day  ');
        expect(written.includes('\u001b[36m')).toBe(colour);
      },
    );

    it.each([[[]], [['--quiet']]])(
      'keeps everything when the terminal hangs up in the middle of it (%j)',
      async (args) => {
        const folder = join(temporaryFolder(), 'out');
        const terminal = startInTerminal({}, [scenarioFile(phased), '--out', folder, ...args], () => undefined);
        await until(() => journalLines(folder).some((line) => line.includes('"kind":"exchange"')), 'it sends');
        terminal.kill('SIGKILL');
        const isThere = (file: string) => existsSync(join(folder, file));
        await until(() => ['summary.json', 'report.html', 'verdicts.json'].every(isThere), 'the reports are written');
        const { end, exchanges, sent, summary } = resultsIn(folder);
        expect(end).toMatchObject({ complete: false, reason: 'interrupted', exchanges: exchanges.length });
        expect(exchanges).toHaveLength(sent.length);
        expect(summary().run).toMatchObject({ complete: false, incompleteBecause: 'interrupted' });
      },
    );
  });
