import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { exportText } from './export-all.ts';
import { hostileRun } from './exporters/hostile-run.exam.ts';
import { exporters } from './exporters/index.ts';
import { censoredRun, emptyRun, sampleRun } from './exporters/journals.exam.ts';
import { gatesJsonSchema } from './gates-json.ts';
import { withGeneratedTables } from './results-readme.ts';
import { runFactsJsonSchema } from './run-facts.ts';
import { SummarySchema, summaryJsonSchema } from './summary-schema.ts';
import { verdictsJsonSchema } from './verdicts-json.ts';

/** `vitest --update` regenerates these files. */
describe('published documents', () => {
  it('has the JSON Schema of summary.json in step with its definition', async () => {
    await expect(`${JSON.stringify(summaryJsonSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
      'schemas/summary.schema.json',
    );
  });

  it('has the JSON Schema of verdicts.json in step with its definition', async () => {
    await expect(`${JSON.stringify(verdictsJsonSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
      'schemas/verdicts.schema.json',
    );
  });

  it('has the JSON Schema of gates.json in step with its definition', async () => {
    await expect(`${JSON.stringify(gatesJsonSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
      'schemas/gates.schema.json',
    );
  });

  it('has the JSON Schema of run.json in step with its definition', async () => {
    await expect(`${JSON.stringify(runFactsJsonSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
      'schemas/run.schema.json',
    );
  });

  it('has the tables of results/README.md in step with the exporters', async () => {
    const readme = fileURLToPath(new URL('../../results/README.md', import.meta.url));
    await expect(withGeneratedTables(readFileSync(readme, 'utf8'))).toMatchFileSnapshot(readme);
  });

  it('refuses a README without the markers of a table', () => {
    expect(() => withGeneratedTables('# Results\n')).toThrow(
      'lacks the markers of files: where its table is to stand, write <!-- files: begin (generated) --> and <!-- files: end -->',
    );
  });
});

describe('summary.json', () => {
  const runs = { emptyRun, censoredRun, hostileRun, sampleRun };

  it.each(Object.entries(runs))('of %s has the members of the definition and no others', (_, run) => {
    const summary: unknown = JSON.parse(exportText(exporters.summary, run));
    expect(SummarySchema.safeParse(summary).error?.issues).toBeUndefined();
  });

  it.each(Object.entries(runs))('of %s satisfies the published schema', (_, run) => {
    const validate = new Ajv2020({ allErrors: true }).compile(summaryJsonSchema());
    validate(JSON.parse(exportText(exporters.summary, run)));
    expect(validate.errors).toBeNull();
  });

  it('is rejected by the published schema if a number is null or a member is missing', () => {
    const validate = new Ajv2020().compile(summaryJsonSchema());
    const summary = JSON.parse(exportText(exporters.summary, sampleRun));
    expect(validate({ ...summary, refusals: { ...summary.refusals, total: null } })).toBe(false);
    expect(validate({ ...summary, turns: undefined })).toBe(false);
    expect(validate({ ...summary, somethingNew: 1 })).toBe(true);
  });

  it('keeps hostile text, escaped', () => {
    const text = exportText(exporters.summary, hostileRun);
    expect(text).toContain('\\u001b[31mred');
    expect(text).toContain('\\u009b2J\\u202eevil');
    expect(JSON.parse(text).run.scenario).toBe('\u001b[31mred\u001b[0m\u0007\r\u009b2J\u202eevil');
  });
});
