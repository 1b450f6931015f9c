import { describe, expect, it } from 'vitest';
import { spanOf, viewsOf } from './echo-views.ts';

const readings = (text: string) => viewsOf(text).map(({ bytes }) => bytes);

describe('the ways in which a text can be read', () => {
  it.each([
    ['Retry in 5 s', ['retry in 5 s']],
    ['50% of it & more', ['50% of it & more']],
    ['a%2Fb', ['a%2fb', 'a/b']],
    ['a%252Fb', ['a%252fb', 'a%2fb', 'a/b']],
    ['a%25252Fb', ['a%25252fb', 'a%252fb', 'a%2fb']],
    ['a+%41', ['a+%41', 'a+a', 'a a']],
    ['\\x41\\u{42}\\u0043\\n\\/', ['\\x41\\u{42}\\u0043\\n\\/', 'abc\n/']],
    ['%u0041', ['%u0041', 'a']],
    ['\\ud83d\\ude00%uD83D%uDE00', expect.arrayContaining(['\xf0\x9f\x98\x80\xf0\x9f\x98\x80'])],
    ['&sol;&#47&#x2f;&AMP&unknown;', ['&sol;&#47&#x2f;&amp&unknown;', '///&&unknown;']],
    ['&#1114112;\\u{110000}', ['&#1114112;\\u{110000}']],
    ['%41\\"', expect.arrayContaining(['%41\\"', 'a"', 'a\\"', '%41"'])],
    ['É', ['\xc3\xa9', '\xc9']],
  ])('%s', (text, bytes) => {
    expect(readings(text)).toEqual(bytes);
  });

  it.each([
    ['\xc3\xa9', 'É'],
    ['\xa9: ', 'É: '],
    ['%2f', '%252F'],
    ['/a', '%252F\\u0041'],
    ['a.', '\\u0041.'],
    ['\xc3\xa9.', 'é.'],
  ])('each say where in the text their bytes stand: %j', (bytes, written) => {
    const text = 'É: %252F\\u0041. é.';
    const places = viewsOf(text).flatMap((view) => {
      const at = view.bytes.indexOf(bytes);
      return at < 0 ? [] : [text.slice(...spanOf(view, at, at + bytes.length))];
    });
    expect(new Set(places)).toEqual(new Set([written]));
  });
});
