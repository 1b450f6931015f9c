import type { ProfileWords } from '../../history/index.ts';

/** What a status of a turn means. */
export interface TurnStatus {
  readonly open: boolean;
  /** Whether the turn is open and certainly waits. */
  readonly queued: boolean;
  /** Whether the turn is open and certainly not waiting. */
  readonly processing: boolean;
  readonly completed: boolean;
  readonly failed: boolean;
}

const UNKNOWN: TurnStatus = { open: false, queued: false, processing: false, completed: false, failed: false };

/**
 * Computed once per profile, because every poll asks and there are millions. @returns neither open nor finished for a status in
 * none of the lists
 */
export function turnStatuses({ turns }: ProfileWords): (status: string) => TurnStatus {
  const all = [...turns.open, ...turns.completed, ...turns.failed];
  const meanings = new Map<string, TurnStatus>(
    all.map((status) => {
      const open = turns.open.includes(status);
      const [queued, processing] = [open && turns.queued.includes(status), open && turns.processing.includes(status)];
      const [completed, failed] = [turns.completed.includes(status), turns.failed.includes(status)];
      return [status, { open, queued, processing, completed, failed }];
    }),
  );
  return (status) => meanings.get(status) ?? UNKNOWN;
}
