import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const manifest = createRequire(import.meta.url).resolve('spillway/package.json');

/** Root of this package, ending in a slash. Resolved by package name, because the build bundles modules into files elsewhere. */
export const packageRoot: URL = new URL('.', pathToFileURL(manifest));

/** Version of Spillway, from its package.json. */
export const toolVersion: string = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
