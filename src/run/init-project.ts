import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigurationError, packageRoot, toolVersion, whyNotWritten } from '../base/index.ts';
import { makeFolder, notWritable } from './disk.ts';
import { RATE_LIMIT } from './init-rate-limit.ts';

/** A file that `init` writes. */
interface Starter {
  readonly path: string;
  readonly content: () => string;
}

/** `init` writes the shipped files, which the tests run. */
const shipped = (path: string) => readFileSync(new URL(path, packageRoot), 'utf8');

const exampleProfile = 'scenarios/profiles/example-remote.yaml';

/** The same, referring to the profile by the name under which `init` writes it. */
const shippedForService = (path: string) =>
  shipped(path).replaceAll('example-remote.yaml', 'service.yaml').replace('in a copy of this file', 'below');

const starters: readonly Starter[] = [
  { path: 'scenarios/smoke.yaml', content: () => shippedForService('scenarios/smoke.yaml') },
  { path: 'scenarios/rate-limit.yaml', content: () => RATE_LIMIT },
  { path: 'scenarios/scenario.schema.json', content: () => shipped('scenarios/scenario.schema.json') },
  { path: 'scenarios/profile.schema.json', content: () => shipped('scenarios/profile.schema.json') },
  { path: 'scenarios/profiles/service.yaml', content: () => shippedForService(exampleProfile) },
  { path: '.github/workflows/spillway.yml', content: workflow },
];

/**
 * Writes two scenarios, a profile and a CI workflow to start from. If any of the files exists or cannot be written, none is left, so that
 * the next try does not meet the files of this one.
 * @returns paths written
 * @throws ConfigurationError with every file that exists; SpillwayError RESULTS_NOT_WRITABLE (exit 12)
 */
export function initProject(folder: string): string[] {
  const taken = starters.map(({ path }) => join(folder, path)).filter((path) => existsSync(path));
  if (taken.length > 0) {
    throw new ConfigurationError(
      taken.map((path) => ({ path, message: 'already exists', hint: 'nothing was written; choose another folder' })),
    );
  }
  const written: string[] = [];
  for (const { path, content } of starters) {
    const file = join(folder, path);
    try {
      makeFolder(dirname(file));
      write(file, content());
    } catch (error) {
      for (const own of written) rmSync(own);
      throw notWritable(`${file} cannot be written: ${whyNotWritten(error)}; choose another folder`, error);
    }
    written.push(file);
  }
  return written;
}

/** Writes a new file, whole or not at all. */
function write(file: string, content: string): void {
  const descriptor = openSync(file, 'wx');
  try {
    writeFileSync(descriptor, content);
  } catch (error) {
    rmSync(file);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** What the workflow installs: the package is not published, so it is kept in the user's repository. */
export const starterTarball = `spillway-${toolVersion}.tgz`;

function workflow(): string {
  return `# Runs the smoke scenario at every push: first against the embedded sandbox, which needs no credentials, then, if the
# secrets are set, against the service of scenarios/profiles/service.yaml.
name: spillway
on: [push]
permissions:
  contents: read
jobs:
  smoke:
    runs-on: ubuntu-latest
    env:
      HAS_CREDENTIALS: \${{ secrets.SPILLWAY_CLIENT_ID != '' }}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 20 }
      # The tarball that npm pack makes in a clone of Spillway, kept at the root of this repository. Spillway is not published on npm:
      # whoever claims its name there decides what "npm install spillway" brings.
      - run: npm install --no-save ./${starterTarball}
      - run: npx spillway run scenarios/smoke.yaml --out spillway-sandbox
      # --yes: nobody can confirm a run that spends more than half of a day's quota. 429s do not count as failed requests, so they have
      # their own gate.
      - if: env.HAS_CREDENTIALS == 'true'
        # Here, not for the whole job: what npm installs above has no business with them.
        env:
          SPILLWAY_CLIENT_ID: \${{ secrets.SPILLWAY_CLIENT_ID }}
          SPILLWAY_CLIENT_SECRET: \${{ secrets.SPILLWAY_CLIENT_SECRET }}
        run: >-
          npx spillway run scenarios/smoke.yaml --profile scenarios/profiles/service.yaml --yes --out spillway-service
          --gate 'http_req_failed: rate<0.01' --gate 'rate_limited: rate<0.05' --gate 'iterations{outcome:completed}: count>0'
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: spillway
          path: |
            spillway-sandbox
            spillway-service
`;
}
