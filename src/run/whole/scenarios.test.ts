import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS, root } from '../../testing/cli.ts';
import { scenariosOfLimits } from './scenarios-of-limits.exam.ts';
import { scenariosOfRequests } from './scenarios-of-requests.exam.ts';

// In one file, of which the test runner has five tests under way at once: each scenario has a sandbox in a process of its own.
describe.concurrent('the shipped scenario', { timeout: PATIENCE_MS }, () => {
  scenariosOfLimits();
  scenariosOfRequests();
});

describe('every shipped scenario', () => {
  let files: readonly string[] = [];
  beforeAll(() => {
    files = readdirSync(join(root, 'scenarios')).filter((file) => /\.(yaml|ts)$/.test(file));
  });

  it('is run by a test above', () => {
    const tests = ['limits', 'requests']
      .map((what) => readFileSync(join(import.meta.dirname, `scenarios-of-${what}.exam.ts`), 'utf8'))
      .join();
    expect(files.filter((file) => !tests.includes(`run('${file}'`))).toEqual([]);
    expect(files).toHaveLength(19);
  });
});
