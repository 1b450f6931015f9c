import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ConfigurationError, ExitCode } from '../../base/index.ts';
import { loadScenario } from '../load.ts';
import type { LoadOptions } from '../loaded.ts';

/** Every problem of a scenario, one per line as printed, without the folder. */
export async function problemsOf(
  files: Record<string, string>,
  options: Partial<LoadOptions> = {},
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bad-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { profileFile, ...others } = options;
  const profile = profileFile === undefined ? {} : { profileFile: join(folder, profileFile) };
  try {
    await loadScenario(join(folder, 's.yaml'), { env: {}, ...others, ...profile });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.exitCode).toBe(ExitCode.invalidConfiguration);
    return error.message.replaceAll(`${folder}/`, '').split('\n');
  }
}

export const head = 'name: bad\nload: { model: burst, count: 1 }\n';
/** A journey `ask` whose steps begin on line 6, column 9. */
export const steps = (...lines: readonly string[]) =>
  `${head}journeys:\n  ask:\n    steps:\n${lines.map((line) => `      - ${line}\n`).join('')}`;
export const ask = 'journeys: { ask: { steps: [{ pause: 1s }] } }\n';
export const at = (line: number, column: number, path: string) => `s.yaml:${line}:${column} ${path}`;
export const sent = 'sendMessage: { message: Hello }';
