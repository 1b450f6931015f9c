import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'rolldown';

/*
 * What the build makes of src/: the command, its other processes and the library as a few files with shared chunks, because
 * every file costs Node half a millisecond to find and link; and the report's script for the browser. Types are tsc's.
 */

/** Each keeps below dist/ the place that it has below src/: `bin`, `exports` and `imports` of package.json name them. */
const entries = [
  'index',
  'cli/main',
  'cli/index',
  'sandbox/shell/process',
  'run/dashboard/process',
  'run/workers/thread',
  'run/calibrate/server',
  // For benchmarks and tests alone; not in the package.
  'testing/built',
  'testing/built-journal',
  'trials/main',
];

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

/**
 * Bundled, unlike all other dependencies: zod is a hundred modules, a third of those that a command would load, and few of them are used.
 * With it in the bundle a run takes nine tenths of the CPU (`bench/README.md`).
 */
const INCLUDED = 'zod';

/**
 * Dependencies that are CommonJS, and so are required instead: before an `import`, Node looks for the names that such a package exports,
 * with a parser that it compiles for that. Without, a sandbox starts with 0.8 × the CPU, and a run takes 0.9 × (`bench/README.md`).
 */
const REQUIRED = /^import (.+) from "(cli-table3|fastify|picocolors|undici|ws)";$/gm;

const required: Plugin = {
  name: 'required',
  renderChunk(code) {
    const own = code.replace(
      REQUIRED,
      (_, names: string, name) => `const ${names.replaceAll(' as ', ': ')} = requireOf("${name}");`,
    );
    if (own === code) return null;
    return `import { createRequire as requiring } from "node:module";\nconst requireOf = requiring(import.meta.url);\n${own}`;
  },
};

export default defineConfig([
  {
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    platform: 'node',
    // Dependencies stay packages: npm installs, updates and audits them, with their licences beside them.
    external: Object.keys(dependencies)
      .filter((name) => name !== INCLUDED)
      .map((name) => new RegExp(`^${name}(/|$)`)),
    // No module of ours does anything by being imported: what a command does not use of a room is not loaded with it.
    treeshake: { moduleSideEffects: false },
    transform: { target: 'node20' },
    // npm makes the command executable when it links it, and never again: after the next build npx could not start it.
    plugins: [
      required,
      { name: 'executable', writeBundle: () => chmodSync('dist/cli/main.js', 0o755) },
      {
        name: 'licence',
        writeBundle: () => copyFileSync(`node_modules/${INCLUDED}/LICENSE`, `dist/chunks/${INCLUDED}.LICENSE`),
      },
    ],
    output: {
      dir: 'dist',
      cleanDir: true,
      chunkFileNames: 'chunks/[name].js',
      comments: false,
      codeSplitting: {
        groups: [
          { name: INCLUDED, test: new RegExp(`/node_modules/${INCLUDED}/`) },
          // Nearly every command needs most of it; `latency` is left out because it needs another library.
          { name: 'api', test: /\/src\/api\/(?!latency)/ },
          // Every command needs these, and each is small.
          {
            name: 'command',
            test: /\/src\/(?:base\/errors|cli\/(?:output\/(?:examples|print)|options\/switches))\.ts$/,
          },
        ],
      },
    },
  },
  {
    input: 'src/report/page/main.ts',
    tsconfig: 'src/report/page/tsconfig.json',
    platform: 'browser',
    output: { file: 'dist/report/page.js', format: 'iife', minify: true },
  },
]);
