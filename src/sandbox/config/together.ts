import { limitNames } from '../../api/index.ts';
import { isRecord, listed } from '../../base/index.ts';
import { problemsWith } from '../defects/index.ts';
import { isLoopback } from './loopback.ts';
import type { SandboxConfig } from './members.ts';

type Members = Readonly<Record<string, unknown>>;
const isListOfMembers = (value: unknown): value is readonly Members[] => Array.isArray(value) && value.every(isRecord);
const haveForm = (limits: unknown) => isRecord(limits) && limitNames.every((name) => isListOfMembers(limits[name]));

interface Problem {
  readonly path: (string | number)[];
  readonly message: string;
}

/**
 * Problems between settings that may each be valid on their own.
 * @param config may have any shape if other checks failed; then only what can be checked is reported
 */
export const problemsTogether = (config: unknown): readonly Problem[] =>
  isRecord(config) ? [...controlProblems(config), ...defectProblems(config), ...applicationProblems(config)] : [];

function controlProblems({ control, host, clock, clockRate = 1 }: Members): Problem[] {
  const isRemote = control === true && typeof host === 'string' && !isLoopback(host);
  const message = 'needs a loopback host such as 127.0.0.1, because it asks for no credentials';
  return listed(
    isRemote && { path: ['control'], message },
    clock === 'manual' &&
      control !== true && {
        path: ['clock'],
        message: 'manual needs the control plane: nothing else can move the clock',
      },
    clock === 'manual' && clockRate !== 1 && { path: ['clockRate'], message: 'has no effect on a manual clock' },
  );
}

function defectProblems(config: Members): Problem[] {
  if (!Array.isArray(config.defects) || !haveForm(config.limits)) return [];
  const problems = problemsWith(config as unknown as Pick<SandboxConfig, 'defects' | 'limits'>);
  return [...problems].map(([index, message]) => ({ path: ['defects', index], message }));
}

function applicationProblems({ applications }: Members): Problem[] {
  if (!isListOfMembers(applications)) return [];
  return ['label', 'clientId'].flatMap((member) => {
    const names = applications.flatMap((application) => application[member] ?? []);
    const isTwice = new Set(names).size < names.length;
    return isTwice ? [{ path: ['applications'], message: `each ${member} may occur only once` }] : [];
  });
}
