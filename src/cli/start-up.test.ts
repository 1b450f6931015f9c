import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '..');
const IMPORTS = /^(?:import|export)\s(?!type\s)(?:[^;'"]*?\sfrom\s+)?'([^']+)'/gm;

/** The packages that come with a module at once; `import()` and `require` are for later, types for the compiler only. */
function packagesOf(entry: string): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      if (name.startsWith('.')) visit(resolve(dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(name.split('/')[0] ?? '');
    }
  };
  visit(join(src, entry));
  return [...packages].sort();
}

describe('starting', () => {
  it('loads nothing for the help but what reads the command line', () => {
    expect(packagesOf('cli/main.ts')).toEqual(['pure-rand', 'yargs']);
  });

  it('loads no HTTP, no database and no YAML with the core of the sandbox', () => {
    expect(packagesOf('sandbox/index.ts')).toEqual(['pure-rand', 'simple-statistics', 'zod']);
  });

  it('loads HTTP and WebSocket libraries with the shell', () => {
    expect(packagesOf('sandbox/shell/index.ts')).toEqual(expect.arrayContaining(['@fastify', 'fastify', 'ws']));
  });
});
