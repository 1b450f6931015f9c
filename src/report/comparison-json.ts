import { join } from 'node:path';
import { z } from 'zod';
import { inertJson } from '../base/index.ts';
import { COMPARISON_FORMAT, COMPARISON_VERSION, type Comparison } from '../gates/index.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { comparisonPage } from './html/comparison-page.ts';
import { renderComparisonMarkdown } from './outputs/comparison-markdown.ts';
import { publishedSchema } from './published-schema.ts';
import { CandidateSchema, leftOutSchema, slackSchema } from './schemas/comparison.ts';
import { flag, formatOf, memberOf, text } from './schemas/parts.ts';

/** The compiler checks that it has exactly the members of the type. */
export const ComparisonSchema: z.ZodType<Comparison> = memberOf<Comparison>('Comparison of runs', {
  ...formatOf(COMPARISON_FORMAT, COMPARISON_VERSION),
  base: memberOf<Comparison['base']>('The base that the candidates are compared with', {
    name: text('Name as given'),
    runs: z.array(z.string()).describe('Identifiers of its runs'),
    leftOut: leftOutSchema,
  }),
  candidates: z.array(CandidateSchema).describe('In the order of the command line'),
  slack: slackSchema,
  regressed: flag('Whether anything is worse (exit code 99)'),
});

/** The published JSON Schema (draft 2020-12). */
export const comparisonJsonSchema = () =>
  publishedSchema(ComparisonSchema, `spillway comparison.json, version ${COMPARISON_VERSION}`);

/** Name of the HTML page of a comparison. */
export const COMPARISON_PAGE = 'comparison.html';

/** Writes `comparison.json`, `comparison.md` and `comparison.html` into a folder, each atomically. @throws the disk's error */
export async function writeComparison(folder: string, comparison: Comparison): Promise<void> {
  await writeFileAtomically(join(folder, 'comparison.json'), [inertJson(comparison)]);
  await writeFileAtomically(join(folder, 'comparison.md'), [renderComparisonMarkdown(comparison)]);
  await writeFileAtomically(join(folder, COMPARISON_PAGE), [comparisonPage(comparison)]);
}
