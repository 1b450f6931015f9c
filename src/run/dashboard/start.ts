import type { ChildProcess } from 'node:child_process';
import { ConfigurationError, monotonicNow } from '../../base/index.ts';
import { ended, startProcess } from '../target/child-process.ts';
import {
  type DashboardEnding,
  type DashboardOpening,
  type DashboardReply,
  type DashboardRequest,
  READ_AGAIN_WITHIN_MS,
  TOLD_WITHIN_MS,
} from './messages.ts';

/** The live page of a run, served by its own process. */
export interface Dashboard {
  readonly url: string;
  /** Call at run time 0. */
  began(): void;
  /** Shows that nothing more is started. */
  stopping(): void;
  /** Shows how the run ended, and closes. @param ending absent if it was not judged */
  end(ending?: DashboardEnding): Promise<void>;
}

/** The port that k6 and others use for this. */
export const DASHBOARD_PORT = 5665;

const START_WITHIN_MS = 10_000;
const STOP_WITHIN_MS = READ_AGAIN_WITHIN_MS + TOLD_WITHIN_MS + 3_000;

/**
 * Opens the live page, before anything is sent.
 * @param onLost called if its process ends before the run, with the reason
 * @throws ConfigurationError if the port is not available
 */
export async function startDashboard(opening: DashboardOpening, onLost: (because: string) => void): Promise<Dashboard> {
  const child = startProcess('#dashboard-process');
  const tell = (request: DashboardRequest) => void (child.connected && child.send(request));
  tell({ kind: 'open', ...opening });
  const reply = await firstReply(child);
  if (reply.kind === 'failed') {
    child.kill('SIGKILL');
    throw new ConfigurationError([
      {
        path: '--dashboard',
        message: `the live page cannot be served: ${reply.message}`,
        hint: 'choose another port; 0 takes any that is free',
      },
    ]);
  }
  const lost = (code: number | null, signal: string | null) => onLost(signal ?? `exit code ${code}`);
  child.once('exit', lost);
  return {
    url: reply.url,
    began: () => tell({ kind: 'began', monotonicUs: monotonicNow() }),
    stopping: () => tell({ kind: 'stopping' }),
    end: async (ending) => {
      child.off('exit', lost);
      tell({ kind: 'ended', ...(ending && { ending }) });
      await ended(child, STOP_WITHIN_MS);
    },
  };
}

function firstReply(child: ChildProcess): Promise<DashboardReply> {
  return new Promise((done) => {
    const failed = (message: string) => done({ kind: 'failed', message });
    const timer = setTimeout(
      () => failed(`its process did not answer within ${START_WITHIN_MS / 1_000} s`),
      START_WITHIN_MS,
    );
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      act();
    };
    child.once('error', (error) => settle(() => failed(error.message))());
    child.once('exit', (code) => settle(() => failed(`its process exited with ${code}`))());
    child.once('message', (reply: DashboardReply) => settle(() => done(reply))());
  });
}
