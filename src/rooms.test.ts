import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Which room may import which others; the first comment of its index.ts gives the reasons. A room that is not in this table fails the test. */
const mayImport: Readonly<Record<string, readonly string[] | 'everything'>> = {
  base: [],
  api: ['base'],
  metrics: ['base'],
  scenario: ['base', 'api', 'metrics'],
  plan: ['base', 'api', 'scenario'],
  history: ['base', 'api'],
  client: ['base', 'api'],
  schedule: ['base', 'api', 'scenario', 'plan', 'history'],
  collect: ['base', 'api', 'metrics', 'history'],
  check: ['base', 'api', 'history'],
  gates: ['base', 'metrics', 'history', 'collect', 'check'],
  report: ['base', 'api', 'metrics', 'history', 'collect', 'check', 'gates'],
  sandbox: ['base', 'api'],
  run: [
    'base',
    'api',
    'metrics',
    'scenario',
    'plan',
    'history',
    'client',
    'schedule',
    'collect',
    'check',
    'gates',
    'report',
    'sandbox',
  ],
  cli: ['base', 'api', 'scenario', 'plan', 'report', 'sandbox', 'run'],
  trials: 'everything',
  bench: 'everything',
  testing: 'everything',
};

/** Rooms whose source may touch the clock, timers, randomness and sockets; of the sandbox, its shell only, and of the report, what follows a run in a browser. */
const worldly = ['base/', 'client/', 'sandbox/shell/', 'report/page/live.ts', 'run/', 'trials/', 'bench/', 'testing/'];
const worldlyThings = [
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bperformance\.now\(/,
  /\bhrtime\b/,
  /\bset(Timeout|Interval|Immediate)\(/,
  /\bMath\.random\(/,
  /\brandomUUID\(/,
  /\brandomBytes\(/,
  /from 'node:(net|http|https|tls|dgram|http2)'/,
  /from '(undici|ws|fastify)'/,
];

const root = import.meta.dirname;
const isTest = (path: string) => /\.(test|exam|laws\.test)\.ts$/.test(path);
const files = (readdirSync(root, { recursive: true }) as string[]).filter(
  (path) => path.endsWith('.ts') && statSync(join(root, path)).isFile(),
);
const sources = files.filter((path) => path.includes(sep) && !isTest(path));
const roomOf = (path: string) => path.split(sep)[0] ?? '';

interface Import {
  readonly from: string;
  readonly to: string;
}

function relativeImports(path: string): Import[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => ({
    from: path,
    to: relative(root, resolve(root, dirname(path), match[1] ?? '')),
  }));
}

/** The circles that a depth-first walk meets; empty if there are none. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) for (const next of imports.get(file) ?? []) walk(next, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return circles;
}

describe('rooms', () => {
  it('are all in the table', () => {
    const rooms = [...new Set(sources.map(roomOf))];
    expect(rooms.filter((room) => !(room in mayImport))).toEqual([]);
    expect(rooms.length).toBeGreaterThan(8);
  });

  it('import only what the table allows, and other rooms only by their door', () => {
    const across = sources.flatMap(relativeImports).filter(({ from, to }) => roomOf(from) !== roomOf(to));
    const wrong = across.filter(({ from, to }) => {
      const allowed = mayImport[roomOf(from)];
      if (allowed === 'everything') return false;
      return !(allowed ?? []).includes(roomOf(to)) || to !== join(roomOf(to), 'index.ts');
    });
    expect(across.length).toBeGreaterThan(50);
    const mayOnly = (room: string) => `${room} may import the index.ts of ${[mayImport[room] ?? []].flat().join(', ')}`;
    expect(wrong.map(({ from, to }) => `${from} → ${to}: ${mayOnly(roomOf(from))}`)).toEqual([]);
  });

  it('have no file that imports itself through others, so that each can be read after what it uses', () => {
    expect(circlesIn(new Map(sources.map((path) => [path, relativeImports(path).map(({ to }) => to)])))).toEqual([]);
    expect(circlesIn(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [] })))).toEqual(['b → c → b']);
  });

  it('say at their door what they know and what they must not', () => {
    const doors = [...new Set(sources.map(roomOf))].filter((room) => mayImport[room] !== 'everything');
    const silent = doors.filter((room) => {
      const comment =
        /^\/\*\*([\s\S]*?)\*\//
          .exec(readFileSync(join(root, room, 'index.ts'), 'utf8'))?.[1]
          ?.replace(/[\s*]+/g, ' ') ?? '';
      return !comment.includes('must not') && !comment.includes('must know');
    });
    expect(silent).toEqual([]);
  });

  it('keep clock, timers, randomness and sockets in the rooms that may have them', () => {
    const found = sources
      .filter((path) => !worldly.some((prefix) => path.split(sep).join('/').startsWith(prefix)))
      .flatMap((path) => {
        const code = readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
        return worldlyThings.filter((thing) => thing.test(code)).map((thing) => `${path}: ${thing.source}`);
      });
    expect(found).toEqual([]);
  });

  it('keep the judge and the judged apart: check/ and sandbox/ share nothing but base/ and api/', () => {
    const between = sources
      .flatMap(relativeImports)
      .filter(
        ({ from, to }) =>
          (roomOf(from) === 'check' && roomOf(to) === 'sandbox') ||
          (roomOf(from) === 'sandbox' && roomOf(to) === 'check'),
      );
    expect(between).toEqual([]);
  });
});
