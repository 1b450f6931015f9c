import { cpus, machine, platform, release, totalmem } from 'node:os';
import type { RunFacts } from '../report/index.ts';

/** Hardware and operating system; without host name and user. */
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
