import { readFileSync } from 'node:fs';

/** Spillway's own version, from the package. */
export const toolVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
