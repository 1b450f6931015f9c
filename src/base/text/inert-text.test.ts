import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inertJson, inertText, shellWord } from './inert-text.ts';

describe('inert text', () => {
  it('escapes controls, keeps everything else, and bounds the length', () => {
    expect(inertText('a\tb\r\n\u0000\u009b')).toBe('a\\tb\\r\\n\\u{0}\\u{9b}');
    expect(inertText('é 問 👩‍🚀 "q", =1')).toBe('é 問 👩‍🚀 "q", =1');
    expect(inertText('\ud800x')).toBe('\\u{d800}x');
    expect(inertText('a\u200b\u00ad\u3164\u{e0041}')).toBe('a\\u{200b}\\u{ad}\\u{3164}\\u{e0041}');
    expect(inertText('👩'.repeat(10), 4)).toBe('👩👩👩…');
    expect(inertText('👩'.repeat(4), 4)).toBe('👩👩👩👩');
    expect(inertText('問題です', 4)).toBe('問題です');
  });

  it('never contains a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(inertText(text)).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
        expect(Array.from(inertText(text, 20)).length).toBeLessThanOrEqual(20);
      }),
    );
  });

  it('is one line of JSON on request', () => {
    expect(inertJson({ code: 'x\u009b\u202e\u{e0041}\n' }, 0)).toBe('{"code":"x\\u009b\\u202e\\udb40\\udc41\\n"}\n');
  });

  it('loses nothing as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const json = inertJson({ value, text });
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
        expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
      }),
    );
  });
});

describe('a word for a shell', () => {
  it('quotes a path only if a shell would divide or change it', () => {
    const paths = ['results/tour-20261128T102420Z', 'a b/#1', "it's $HOME", '', '100%/ü', '~/x', 'a\\b'];
    const words = paths.map(shellWord);
    expect(words).toEqual([paths[0], "'a b/#1'", `'it'\\''s $HOME'`, "''", '100%/ü', "'~/x'", "'a\\b'"]);
    expect(execFileSync('/bin/sh', ['-c', `printf '%s|' ${words.join(' ')}`], { encoding: 'utf8' })).toBe(
      `${paths.join('|')}|`,
    );
  });
});
