import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tell } from '../output/print.ts';

/** The command that opens a file with the default program, by platform. Default xdg-open. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a file in the user's browser without waiting for it. `BROWSER` names another program.
 * @returns whether the program was started
 */
function openInBrowser(file: string): Promise<boolean> {
  const { BROWSER } = process.env;
  const [command, ...args] = BROWSER ? [BROWSER] : (openers[process.platform] ?? ['xdg-open']);
  const child = spawn(command, [...args, pathToFileURL(resolve(file)).href], { detached: true, stdio: 'ignore' });
  return new Promise((done) => {
    child.once('error', () => done(false));
    child.once('spawn', () => {
      child.unref();
      done(true);
    });
  });
}

/** Opens a file in the user's browser, or prints how to. */
export async function showInBrowser(file: string): Promise<void> {
  if (await openInBrowser(file)) return;
  tell(`no browser could be started; open ${file} yourself, or set BROWSER to a program`);
}
