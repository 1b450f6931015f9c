import { readFileSync } from 'node:fs';
import { cpus, machine, platform, release, totalmem } from 'node:os';
import type { RunFacts } from '../report/index.ts';

/** Spillway's own version, from the package. */
export const toolVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** What this machine is; no host name, no user. */
export function machineFacts(): RunFacts['machine'] {
  const all = cpus();
  return {
    cpu: all[0]?.model ?? 'unknown',
    cores: all.length,
    memoryBytes: totalmem(),
    os: platform(),
    kernel: release(),
    architecture: machine(),
  };
}
