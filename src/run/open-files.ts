import { ConfigurationError } from '../base/index.ts';
import { plural } from '../report/index.ts';

/** Files that a run has open in addition to its sockets: journal, libraries, the sandbox's channel, streams of a few turns. */
const BESIDE_SOCKETS = 64;

/** Most files that this process may have open at once (`ulimit -n`); infinite if the system reports no limit. */
export function openFilesLimit(): number {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } } | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/** Approximate number of open files of a run with this many sockets. */
export const openFilesFor = (sockets: number): number => sockets + BESIDE_SOCKETS;

/**
 * Checks before the run that it will not run out of file descriptors: during the run, that would look like failures of the
 * service.
 * @throws ConfigurationError
 */
export function checkOpenFiles(connections: number, limit: number): void {
  const needed = openFilesFor(connections);
  if (needed <= limit) return;
  throw new ConfigurationError([
    {
      path: 'client.connections',
      message: `${connections} sockets need about ${needed} open files, and the system allows ${limit}`,
      hint: `raise the limit (ulimit -n ${needed}), or use at most ${plural(Math.max(1, limit - BESIDE_SOCKETS), 'connection')}`,
    },
  ]);
}
