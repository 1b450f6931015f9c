import { limitNames } from '../../api/index.ts';
import { isRecord } from '../../base/index.ts';
import { problemsWith } from '../defects/index.ts';
import type { SandboxConfig } from './members.ts';

type Members = Readonly<Record<string, unknown>>;
const isListOfMembers = (value: unknown): value is readonly Members[] => Array.isArray(value) && value.every(isRecord);
const haveForm = (limits: unknown) => isRecord(limits) && limitNames.every((name) => isListOfMembers(limits[name]));

/**
 * Problems between settings that may each be valid on their own.
 * @param config may have any shape if other checks failed; then only what can be checked is reported
 */
export function problemsTogether(config: unknown): readonly { path: (string | number)[]; message: string }[] {
  if (!isRecord(config)) return [];
  const { defects, limits, applications } = config;
  const broken =
    Array.isArray(defects) && haveForm(limits)
      ? problemsWith(config as unknown as Pick<SandboxConfig, 'defects' | 'limits'>)
      : [];
  const twice = isListOfMembers(applications)
    ? ['label', 'clientId'].filter((member) => {
        const names = applications.flatMap((application) => application[member] ?? []);
        return new Set(names).size < names.length;
      })
    : [];
  return [
    ...[...broken].map(([index, message]) => ({ path: ['defects', index], message })),
    ...twice.map((member) => ({ path: ['applications'], message: `each ${member} may occur only once` })),
  ];
}
