import { sentencesOf } from '../defects/index.ts';
import { type JsonAnswer, success } from '../replies.ts';
import type { Shell } from './http.ts';

/**
 * The settled configuration, every default filled in, under the names that a settings file uses: durations are milliseconds.
 * Of the applications only the labels: credentials are shown once, and elsewhere. Of chosen defects also what they do.
 */
export function showConfig({ config }: Shell): JsonAnswer {
  const { defects } = config;
  return success(200, {
    ...config,
    applications: config.applications.map(({ label }) => ({ label })),
    ...(defects.length > 0 && { defectsSay: sentencesOf(defects) }),
  });
}
