import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../base/index.ts';
import { PATIENCE_MS, root, temporaryFolder } from '../../testing/cli.ts';
import { someCredentials } from '../../testing/service.ts';
import { dear, withService } from '../whole/partner-run.exam.ts';

/** Runs a shell command in a terminal that types an answer to its question. Resolves with the output. */
function inTerminal(line: string, typed: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number | null; readonly shown: string }>((done) => {
    const child = execFile(
      'script',
      ['--quiet', '--return', '--echo', 'never', '--command', line, '/dev/null'],
      { env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env }, cwd: temporaryFolder() },
      (_, shown) => done({ code: child.exitCode, shown }),
    );
    // Typed only after the question: before it, the terminal itself would handle Ctrl-C.
    let seen = '';
    let isTyped = typed === '';
    child.stdout?.on('data', (text) => {
      seen += String(text);
      if (isTyped || !seen.includes('[y/N]')) return;
      isTyped = true;
      child.stdin?.write(typed);
    });
  });
}

const ESCAPE = '\u001b[';
/** Other escape sequences belong to the question. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is one
const COLOUR = /\u001b\[[\d;]+m/;
const plain = (shown: string) =>
  shown
    .split(ESCAPE)
    .map((part, index) => (index === 0 ? part : part.replace(/^[\d;?]*[A-Za-z]/, '')))
    .join('');

describe.skipIf(!existsSync('/usr/bin/script')).concurrent('at a terminal', { timeout: PATIENCE_MS }, () => {
  const line = (url: string, ...args: readonly string[]) =>
    [process.execPath, join(root, 'dist/cli/main.js'), 'run', dear(), '--target', url, '--quiet', ...args]
      .map(shellWord)
      .join(' ');

  it('a person is asked, and can say no: nothing is sent', () =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url), 'n\r', someCredentials);
      expect(shown).toContain("this uses up to 2 of the day's 3 new messages. Continue? [y/N]");
      expect(shown).toContain('not confirmed; nothing was sent');
      expect(code).toBe(104);
      expect(service.connections()).toBe(0);
    }));

  it.each([
    ['Ctrl-C', '\u0003'],
    ['the end of the input', '\u0004'],
  ])('%s instead of an answer is a no', (_, key) =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url), key, someCredentials);
      expect(shown).toContain('not confirmed; nothing was sent');
      expect(code).toBe(104);
      expect(service.connections()).toBe(0);
    }),
  );

  it('or yes; with NO_COLOR what follows has no colours', () =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url), 'y\r', { ...someCredentials, NO_COLOR: '1' });
      expect(plain(shown)).toContain(`two against ${service.url}`);
      expect(shown).not.toMatch(COLOUR);
      expect(code).toBe(0);
    }));

  it('nobody is asked with --yes, and what follows has colours', () =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url, '--yes'), '', someCredentials);
      expect(code, shown).toBe(0);
      expect(plain(shown)).toContain(`two against ${service.url}`);
      expect(shown).not.toContain('Continue?');
      expect(shown).toMatch(COLOUR);
    }));
});
