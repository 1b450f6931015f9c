import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../testing/cli.ts';
import { commands, wordOf } from '../commands.ts';

/** The last form is what the build makes of a CommonJS package's import (`rolldown.config.ts`). */
const IMPORTS =
  /^(?:(?:import|export)\s(?!type\s)(?:[^;'"]*?\sfrom\s+)?|const\s[^;=]+=\srequireOf\()['"]([^'"]+)['"]/gm;

interface Loaded {
  /** Own files, as paths relative to the repository. */
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

/** Everything that a module loads statically; `import()`, own calls of `require` and types do not count. */
function loadedWith(entry: string): Loaded {
  const packages = new Set<string>();
  const files = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTS)) {
      if (name.startsWith('.')) visit(join(dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(name.split('/')[0] ?? '');
    }
  };
  visit(entry);
  return { files: [...files], packages: [...packages].sort() };
}

describe('starting', () => {
  it('loads only the command-line parser for the help', () => {
    expect(loadedWith('src/cli/start.ts').packages).toEqual(['pure-rand', 'yargs']);
  });

  it('loads no HTTP, no database and no YAML with the core of the sandbox', () => {
    expect(loadedWith('src/sandbox/index.ts').packages).toEqual(['pure-rand', 'simple-statistics', 'zod']);
  });

  it('loads HTTP and WebSocket libraries with the shell, and its documentation when somebody reads it', () => {
    expect(loadedWith('src/sandbox/shell/index.ts').packages).toEqual([
      'fastify',
      'pure-rand',
      'simple-statistics',
      'ws',
      'zod',
    ]);
  });
});

describe('the bundle', () => {
  const first = loadedWith('dist/cli/main.js');
  const start = loadedWith('dist/chunks/start.js');
  const loadedBy = (word: string): Loaded => {
    const found = start.files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/import\("(\.[^"]+)"\)\)\.(\w+)Command/g)].flatMap(
        ([, name = '', command]) => (command === word ? [join(dirname(file), name)] : []),
      ),
    );
    return loadedWith(found[0] ?? `none of ${word}`);
  };

  it('loads only the command-line parser for the help', () => {
    // Only the entry and what reports that the tool cannot be loaded.
    expect([first.files.length, first.packages]).toEqual([2, []]);
    expect(start.files.length).toBeLessThanOrEqual(7);
    expect(start.packages).toEqual(['yargs']);
  });

  it('has few files for each command: each costs a process about a millisecond', () => {
    const many = commands.map(wordOf).filter((word) => loadedBy(word).files.length > 64);
    expect(many).toEqual([]);
  });

  it.each([
    ['plan', ['p-limit', 'pure-rand', 'simple-statistics']],
    ['check', ['cli-table3', 'picocolors', 'simple-statistics']],
    ['init', []],
  ])('brings the libraries that %s uses, and no others', (word, expected) => {
    expect(loadedBy(word).packages).toEqual(expected);
  });

  it('gives a scenario file its one function alone', () => {
    const { files, packages } = loadedWith('dist/index.js');
    expect(files).toEqual(['dist/index.js', 'dist/chunks/scenario.js']);
    expect(packages).toEqual([]);
  });
});
