import { describe, expect, it } from 'vitest';
import { exportText } from '../export-all.ts';
import type { Exporter } from './exporter.ts';
import { hostileRun } from './hostile-run.exam.ts';
import { censoredRun, emptyRun, sampleRun } from './journals.exam.ts';
import { parseCsv } from './parse-csv.exam.ts';

/** Removes the style and the bundled script from a page, because they change with their own sources. */
const withoutAssets = (text: string): string =>
  text.replace(/(<style>|<script>)[\s\S]*?(?=<\/(?:style|script)>)/g, '$1…').replace(/sha256-[^']+/g, 'sha256-…');

/** Tests that every exporter of the registry must pass. */
export function examExporter(exporter: Exporter): void {
  describe(`exporter of ${exporter.file}`, () => {
    it('writes exactly its golden file for the sample run', async () => {
      await expect(withoutAssets(exportText(exporter, sampleRun))).toMatchFileSnapshot(
        `golden/${exporter.file}.golden`,
      );
    });

    it('writes the same bytes again, without state shared between exports', () => {
      const first = exportText(exporter, sampleRun);
      exportText(exporter, hostileRun);
      expect(exportText(exporter, sampleRun)).toBe(first);
    });

    it.each([
      ['empty', emptyRun],
      ['censored', censoredRun],
      ['hostile', hostileRun],
      ['sample', sampleRun],
    ])('writes whole lines of inert text for the %s run', (_, run) => {
      const text = exportText(exporter, run);
      expect(text.endsWith('\n')).toBe(true);
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/u);
    });

    it('documents each column once, with a meaning', () => {
      const names = exporter.columns.map((column) => column.name);
      expect(new Set(names).size).toBe(names.length);
      expect(exporter.columns.filter((column) => column.meaning.length < 3)).toEqual([]);
    });
  });
}

/** Additional tests for CSV exporters. */
export function examCsvExporter(exporter: Exporter): void {
  describe(`CSV of ${exporter.file}`, () => {
    const header = exporter.columns.map((column) => column.name);

    it('has the documented columns as its header, as many fields in every row, and one line per row', () => {
      for (const run of [emptyRun, censoredRun, hostileRun, sampleRun]) {
        const text = exportText(exporter, run);
        const rows = parseCsv(text);
        expect(rows[0]).toEqual(header);
        expect(rows.map((row) => row.length)).toEqual(rows.map(() => header.length));
        expect(text.split('\n').length - 1).toBe(rows.length);
      }
    });

    it('lets no field begin like a formula, except numbers', () => {
      const fields = parseCsv(exportText(exporter, hostileRun)).flat();
      expect(fields.filter((field) => /^[=+@\t\r-]/.test(field) && Number.isNaN(Number(field)))).toEqual([]);
    });
  });
}
