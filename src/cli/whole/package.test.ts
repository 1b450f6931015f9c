import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, root, temporaryFolder } from '../../testing/cli.ts';
import { isWhole } from '../../testing/share.ts';

const ran = promisify(execFile);

/** A user's project with only this package installed. */
function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'spillway'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/**
 * What npm packs, in a folder of its own. npm 10 builds before it packs, whatever it is told about scripts, and would take the build
 * away from other tests.
 */
function copyWithoutScripts(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(root))
    if (!['.git', 'node_modules'].includes(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  const { scripts, ...description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
  return folder;
}

const scenario = `import { scenario } from 'spillway';
export default scenario({ name: 'typed', journeys: { a: { steps: [{ issueToken: {} }] } }, load: { model: 'burst', count: 1 } });
export const wrong = () =>
  // @ts-expect-error there is no such step
  scenario({ name: 'typed', journeys: { a: { steps: [{ isueToken: {} }] } }, load: { model: 'burst', count: 1 } });
`;

describe.concurrent('the package', { timeout: PATIENCE_MS }, () => {
  it.each(isWhole ? ['nodenext', 'bundler'] : ['nodenext'])(
    'has types that need no others, resolved by %s',
    async (resolution) => {
      const compilerOptions = {
        ...{
          strict: true,
          noEmit: true,
          target: 'es2022',
          lib: ['es2022'],
          types: [],
          skipLibCheck: false,
          preserveSymlinks: true,
        },
        // Skips the compiler's own libraries, which would take most of the time.
        skipDefaultLibCheck: true,
        ...{ module: resolution === 'bundler' ? 'esnext' : resolution, moduleResolution: resolution },
      };
      const tsconfig = JSON.stringify({ compilerOptions, files: ['a.mts'] });
      const folder = projectWith({ 'a.mts': scenario, 'tsconfig.json': tsconfig });
      const told = await ran(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );
      expect(told).toBe('');
    },
  );

  it('gives its schemas by name', async () => {
    const names = [
      'scenario',
      'profile',
      'run',
      'summary',
      'verdicts',
      'gates',
      'rounds',
      'comparison',
      'plan',
      'calibration',
    ];
    const folder = projectWith({
      'a.mjs': `import { createRequire } from 'node:module';
const read = createRequire(import.meta.url);
console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => typeof read('spillway/schemas/' + name + '.schema.json').$schema)));
`,
    });
    const { stdout } = await ran(process.execPath, [join(folder, 'a.mjs')]);
    expect(JSON.parse(stdout)).toEqual(names.map(() => 'string'));
  });

  it('contains every file that its README links to, and no sources', async () => {
    const { stdout } = await ran('npm', ['pack', '--dry-run', '--json'], { cwd: copyWithoutScripts() });
    // A list of packages; since npm 12 an object with their names.
    const told = JSON.parse(stdout) as Readonly<Record<string, { files: readonly { path: string }[] }>>;
    const packed = Object.values(told).flatMap(({ files }) => files.map(({ path }) => path));
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([\w./-]+)(?:#\w+)?\)/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((path) => !packed.includes(path))).toEqual([]);
    expect(packed.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual(['scenarios/mixed-journeys.ts']);
  });
});
