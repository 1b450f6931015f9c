import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const manifest = createRequire(import.meta.url).resolve('spillway/package.json');

/** The package's own root, ending in a slash. By name, because the build puts modules together in files elsewhere. */
export const packageRoot: URL = new URL('.', pathToFileURL(manifest));

/** Spillway's own version, from the package. */
export const toolVersion: string = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
