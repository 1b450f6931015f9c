import { describe, expect, it } from 'vitest';
import { emptyRun, sampleRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import { renderMarkdown } from './markdown.ts';
import { code } from './markdown-text.ts';
import { hostile, violatedRun } from './runs.exam.ts';

describe('summary.md', () => {
  it('starts with what was proven, and shows the known percentiles', () => {
    const text = renderMarkdown(judgedRun(violatedRun));
    expect(text.split('\n')[0]).toBe(
      '## ❌ Spillway: proven against the service: rate; 3 of 11 gates failed; 6 of 11 gates undetermined for lack of data',
    );
    expect(text).toMatch(/\| ❌ violated \| `rate` \| 41 requests were admitted .* \|/);
    expect(text).toMatch(/\| `readHistory` \| 41 \| 0 \| 0 \| 1.0 ms \(1.0 ms to 1.0 ms\) \|/);
  });

  it('says that a run is incomplete', () => {
    expect(renderMarkdown(judgedRun(sampleRun.slice(0, -1)))).toContain(
      '\n\n### Warnings\n\n- the history is incomplete (cut off, the end record is missing)',
    );
  });

  it('is inert, whatever the input', () => {
    const text = renderMarkdown(hostile());
    // Outside code spans, nothing that creates a link, a mention, an image or a tag.
    const prose = text.replace(/`[^`\n]*`|&#\d+;/g, '');
    expect(prose).not.toMatch(/<script/);
    expect(text).toContain('`<script>alert(1)</script>¦');
    expect(prose).not.toMatch(/(?<!\\)[[<]|(?<!\\)!\[|@|:\/\/|#\d/);
    expect([code('  '), code('`a` |')]).toEqual(['', "`'a' ¦`"]);
    // Every row has as many cells as the head.
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    const cells = (line: string) => line.replace(/\\\\/g, '').replace(/\\\|/g, '').split('|').length;
    for (const [index, row] of rows.entries()) {
      const head = rows.slice(0, index + 1).findLastIndex((line) => line.startsWith('|---'));
      if (head >= 0)
        expect(cells(row), row).toBe(rows[index + 1]?.startsWith('|---') ? cells(row) : cells(rows[head] ?? ''));
    }
    expect(
      text
        .split('\n')
        .filter((line) => line.startsWith('#'))
        .map((line) => line.split(' ')[0]),
    ).toEqual(expect.arrayContaining(['##', '###']));
  });

  it('says of a run without exchanges that nothing was sent', () => {
    expect(renderMarkdown(judgedRun(emptyRun))).toMatch(/\n\nNothing was sent\.\n$/);
  });

  it('says of gates how many runs were judged together', () => {
    const run = judgedRun(sampleRun);
    const together = (runs: readonly string[]) => renderMarkdown({ ...run, gates: { ...run.gates, runs } });
    expect(together(['a', 'b'])).toContain('Judged over 2 runs together.');
    expect(together(['a'])).not.toContain('Judged over');
  });

  it('lists what is proven beside the limits once, and not the limits again', () => {
    const run = judgedRun(violatedRun);
    const proven = [...run.verdicts.proven, { violation: 'executed-twice', claim: 'a claim' }];
    const text = renderMarkdown({ ...run, verdicts: { ...run.verdicts, proven } });
    expect(text).toContain('| ❌ proven | `executed-twice` | a claim |');
    expect(text.match(/\| ❌ \w+ \| `rate` \|/g)).toEqual(['| ❌ violated | `rate` |']);
    const accepted = [{ violation: 'rate', claim: 'c', reason: 'known' }];
    expect(renderMarkdown({ ...run, verdicts: { ...run.verdicts, proven: [], accepted } })).toMatch(
      /\| ☑️ violated, accepted \| `rate` \| 41 requests were admitted .*; accepted: known \|/,
    );
  });

  it('has no section that is empty, and lists at most fifty gates', () => {
    const { summary, verdicts, gates } = judgedRun(sampleRun);
    const met = { ...summary, expectations: { checked: 2, unmet: 0, examples: [] } };
    const page = (many: typeof gates.gates) =>
      renderMarkdown({ summary: met, verdicts, gates: { ...gates, gates: many } });
    const titles = (text: string) => text.split('\n').filter((line) => line.startsWith('### '));
    expect(titles(page([]))).toEqual(['### Limits', '### Stages', '### Latency']);
    const [gate] = gates.gates;
    if (!gate) throw new Error('no gate');
    const listed = (count: number) => page(Array.from({ length: count }, () => gate)).split('### Gates')[1];
    const rows = (count: number) => listed(count)?.match(/\| `http_req_duration` \|/g)?.length;
    expect([rows(50), rows(51)]).toEqual([50, 50]);
    expect(listed(50)).not.toContain('more gate');
    expect(listed(51)).toContain('|\n\nand 1 more gate\n');
  });
});
