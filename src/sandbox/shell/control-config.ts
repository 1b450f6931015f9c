import { sentencesOf } from '../defects/index.ts';
import { type JsonAnswer, success } from '../replies.ts';
import type { Shell } from './http.ts';

/**
 * The configuration with every default, under the names of a settings file; durations in milliseconds. Of applications it shows
 * only the labels, because credentials are shown only once, at the start. It adds the descriptions of the chosen defects.
 */
export function showConfig({ config }: Shell): JsonAnswer {
  const { defects } = config;
  return success(200, {
    ...config,
    applications: config.applications.map(({ label }) => ({ label })),
    ...(defects.length > 0 && { defectsSay: sentencesOf(defects) }),
  });
}
