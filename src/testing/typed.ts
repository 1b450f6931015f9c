import { format } from 'node:util';
import { vi } from 'vitest';
import { runCli } from '../cli/index.ts';

/**
 * Runs a command line in this process, in a folder: for what sends nothing and ends soon, which would take longer to start
 * than to run. One at a time, as it takes over the folder and the output of the process.
 */
export async function typed(
  args: readonly string[],
  folder: string,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const printed = { out: '', err: '' };
  const into = (name: keyof typeof printed) => (text: string | Uint8Array) => {
    printed[name] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
    vi.spyOn(console, 'log').mockImplementation((...what) => void into('out')(`${format(...what)}\n`)),
  ];
  const before = process.cwd();
  process.chdir(folder);
  try {
    return { code: await runCli(args), ...printed };
  } finally {
    process.chdir(before);
    for (const spy of spies) spy.mockRestore();
  }
}
