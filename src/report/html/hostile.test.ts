import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { describeInBrowser, expectAccessible, focusOn, openPage, pixelsOf, textOf } from '../../testing/browser.ts';
import { reportOf, wholeRun } from '../../testing/reports.ts';

/** Hostile text: markup, an end of the script element, terminal controls, a bidirectional override. */
const HOSTILE =
  '</script><script>window.pwned=1</script><img src=x onerror="window.pwned=2">\u001b[31m\u202eevil\u2028&amp;\'"`${1}';

/** Replaces all texts of a record that come from outside. */
function poisoned(record: JournalRecord): JournalRecord {
  if (record.kind === 'header')
    return {
      ...record,
      scenario: HOSTILE,
      tool: HOSTILE,
      node: HOSTILE,
      runId: HOSTILE,
      profile: { ...(record.profile as object), name: HOSTILE },
    };
  if (record.kind === 'exchange')
    return {
      ...record,
      application: HOSTILE,
      user: HOSTILE,
      journey: HOSTILE,
      ...(record.outcome === 'refused' && {
        retryAfter: HOSTILE,
        ...(record.seq % 2 === 0 && { error: { code: HOSTILE, retryable: false, requestId: HOSTILE } }),
      }),
      ...(record.seq % 7 === 0 && { outcome: 'failed' as const, failure: HOSTILE }),
      expect: { checked: 1, unmet: [HOSTILE] },
    };
  if (record.kind === 'end') return { ...record, complete: false, reason: HOSTILE };
  return record.kind === 'journey' ? { ...record, journey: HOSTILE } : record;
}

let address: string;
beforeAll(async () => {
  const records = await wholeRun({
    name: 'hostile',
    journeys: {
      ask: {
        onRefused: 'continue',
        steps: [
          { createConversation: {} },
          { sendMessage: { message: 'Hello' } },
          { followTurn: { by: 'poll' } },
          { burst: { of: 'readHistory', count: 30, gap: '10ms' } },
        ],
      },
    },
    load: { model: 'burst', count: 1 },
  });
  address = reportOf(records.map(poisoned), [
    { metric: HOSTILE, expression: HOSTILE, state: 'fail', because: HOSTILE, failsRun: true },
  ]);
});

describeInBrowser('hostile text in report.html', () => {
  it('runs nothing, creates no element, and is shown escaped', async () => {
    const { page, trouble } = await openPage(address);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.locator('img, body > script:not([type]) ~ script').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    const text = await textOf(page, 'body');
    expect(text).toContain(
      '</script><script>window.pwned=1</script><img src=x onerror="window.pwned=2">\\u{1b}[31m\\u{202e}evil\\u{2028}',
    );
    expect(text.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(trouble).toEqual([]);
    await expectAccessible(page);
  });

  it('is inert in tooltips and in the file itself', async () => {
    const { page } = await openPage(address);
    await page.locator('[data-picture=requests]').scrollIntoViewIfNeeded();
    const { at } = await pixelsOf(page, '[data-picture=requests] .uplot canvas', 'failed');
    expect(at.length).toBeGreaterThan(10);
    await focusOn(page, '[data-picture=requests] .plot');
    await page.keyboard.press('ArrowRight');
    const tip = await textOf(page, '#tip.shown');
    expect(tip).toContain('</script>');
    expect(tip.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    const file = readFileSync(fileURLToPath(address), 'utf8');
    expect(file.split('</script>')).toHaveLength(3);
    expect(file.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  });

  it('does not make the page scroll sideways on a phone', async () => {
    const { page } = await openPage(address, { viewport: { width: 390, height: 844 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
