import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, scriptJson } from './markup.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '</script><script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '\u202eevil',
    '"><b',
    "' onload='x",
    '<!--',
  ),
);
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;

describe('markup', () => {
  it('contains no tag, quote or invisible character of an interpolated text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { text: made } = html`<p title="${text}">${text}</p>`;
        const [, attribute = '', content = ''] = /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(made) ?? [];
        expect(made).toBe(`<p title="${attribute}">${content}</p>`);
        expect(made).not.toMatch(UNSEEN);
      }),
    );
  });

  it('inserts markup, numbers and lists unchanged, and nothing for absent values', () => {
    const part = html`<b>${'a&b'}</b>`;
    expect(html`${part}${[part, 7]}${undefined}${false}`.text).toBe('<b>a&amp;b</b><b>a&amp;b</b>7');
  });

  it('preserves data, and cannot end a script', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.integer())), (data) => {
        const made = scriptJson(data);
        expect(JSON.parse(made)).toEqual(data);
        expect(made).not.toContain('<');
        expect(made).not.toMatch(UNSEEN);
      }),
    );
  });
});
