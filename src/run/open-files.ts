import { ConfigurationError } from '../base/index.ts';

/** Files that the run has open beside its sockets: journal, libraries, the sandbox's channel, streams of a few turns. */
const BESIDE_SOCKETS = 64;

/** Most files that this process may have open at once (`ulimit -n`); infinite where the system does not say. */
export function openFilesLimit(): number {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } } | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/** About so many files are open at once with so many sockets. */
export const openFilesFor = (sockets: number): number => sockets + BESIDE_SOCKETS;

/**
 * Says before the run that it would run out of file descriptors: in its midst that would read as the service's failures.
 * @throws ConfigurationError
 */
export function checkOpenFiles(connections: number, limit: number): void {
  const needed = openFilesFor(connections);
  if (needed <= limit) return;
  throw new ConfigurationError([
    {
      path: 'client.connections',
      message: `${connections} sockets need about ${needed} open files, and the system allows ${limit}`,
      hint: `raise the limit (ulimit -n ${needed}), or use at most ${Math.max(1, limit - BESIDE_SOCKETS)} connections`,
    },
  ]);
}
