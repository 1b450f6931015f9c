import { ConfigurationError, formatCount } from '../../base/index.ts';
import { plural } from '../../report/index.ts';

/** Files that a run has open in addition to its sockets: journal, libraries, the sandbox's channel, streams of a few turns. */
const BESIDE_SOCKETS = 64;
/** What one of several workers has open in addition, most of it while all of them load their modules at once. */
const BESIDE_WORKER = 16;

/** Most files that this process may have open at once (`ulimit -n`); infinite if the system reports no limit. */
export function openFilesLimit(): number {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } } | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/** Approximate number of open files of a run with this many sockets, and worker threads if there are several. */
export const openFilesFor = (sockets: number, workers = 1): number =>
  sockets + BESIDE_SOCKETS + (workers > 1 ? workers * BESIDE_WORKER : 0);

/**
 * Checks before the run that it will not run out of file descriptors: during the run, that would look like failures of the
 * service.
 * @throws ConfigurationError
 */
export function checkOpenFiles(connections: number, limit: number, workers = 1): void {
  const needed = openFilesFor(connections, workers);
  if (needed <= limit) return;
  const most = connections - (needed - limit);
  const less = workers > 1 && most < workers ? 'fewer workers' : `at most ${plural(Math.max(1, most), 'connection')}`;
  throw new ConfigurationError([
    {
      path: 'client.connections',
      message: `${plural(connections, 'socket')}${workers > 1 ? ` and ${workers} workers` : ''} need about ${formatCount(needed)} open files, and the system allows ${formatCount(limit)}`,
      hint: `raise the limit (ulimit -n ${needed}), or use ${less}`,
    },
  ]);
}
