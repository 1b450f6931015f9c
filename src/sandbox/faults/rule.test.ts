import { describe, expect, it } from 'vitest';
import { ConfigurationError, seededRandom } from '../../base/index.ts';
import { settle } from '../config.ts';
import { describeFaults } from './help.ts';
import { faultNames, parseFault } from './rule.ts';
import { strikesAt, type When, whenForms } from './when.ts';

const always = { kind: 'always' };

describe('a rule', () => {
  it.each([
    ['sendMessage:reset-after:p=0.05', 'sendMessage', 'reset-after', { kind: 'probability', probability: 0.05 }],
    ['*:latency:constant:200ms', '*', 'latency', always],
    ['*:latency:lognormal:200ms:2s:every=10', '*', 'latency', { kind: 'every', step: 10 }],
    ['readTurn:status-503:#3', 'readTurn', 'status-503', { kind: 'numbers', from: 3, to: 3 }],
    ['readTurn:status-503:after:#3-8', 'readTurn', 'status-503', { kind: 'numbers', from: 3, to: 8 }],
    ['openStream:stream-drop:3:p=1', 'openStream', 'stream-drop', { kind: 'probability', probability: 1 }],
    ['openStream:stall', 'openStream', 'stall', always],
    ['*:stream-drop', '*', 'stream-drop', always],
    ['*:half-answer', '*', 'half-answer', always],
    ['*:wrong-type:text/plain', '*', 'wrong-type', always],
    ['*:clock-skew:-90s:p=.5', '*', 'clock-skew', { kind: 'probability', probability: 0.5 }],
  ])('%s is read', (text, operation, name, when) => {
    expect(parseFault(text)).toMatchObject({ text, operation, name, when });
  });

  it.each([
    ['', 'there is no operation ""'],
    ['sendMesage:stall', 'did you mean sendMessage'],
    ['readTurn', 'there is no fault ""'],
    ['readTurn:stal', 'did you mean stall'],
    ['readTurn:constructor', 'there is no fault "constructor"'],
    ['readTurn:stall:p=0', '"p=0" is not a probability above 0, up to 1'],
    ['readTurn:stall:p=1.1', '"p=1.1" is not a probability'],
    ['readTurn:stall:p=', '"p=" is not a probability'],
    ['readTurn:stall:#0', '"#0" is not the number of a request'],
    ['readTurn:stall:#8-3', '"#8-3" is not the number of a request'],
    ['readTurn:stall:#1-2-3', 'is not the number of a request'],
    ['readTurn:stall:every=0', 'needs a whole number above 0'],
    ['readTurn:stall:now', '"now" is not "before" or "after"'],
    ['readTurn:reset-before:after', 'takes no parameter'],
    ['readTurn:latency', 'is not a distribution; write constant:1s'],
    ['readTurn:latency:200ms', '"200ms" is not a distribution'],
    ['readTurn:latency:uniform:2s:1s', 'max must not be below min'],
    ['readTurn:slow-drip:0', '"0" is not a duration such as'],
    ['readTurn:slow-drip:1s:2s', '"1s:2s" is not a duration'],
    ['readTurn:oversized:1.5', 'is not a whole number from 1 to 1073741824'],
    ['readTurn:wrong-type:html', 'is not a content type such as text/html'],
    ['readTurn:wrong-type:text/html\r\nx', 'is not a content type'],
    ['readTurn:clock-skew:5s', 'is not a signed duration up to a year, such as +5s'],
    ['readTurn:clock-skew:+0', 'is not a signed duration'],
    ['readTurn:clock-skew', 'is not a signed duration'],
    ['readTurn:store-outage:shut', 'is not "error", "open" or "closed"'],
    ['readTurn:stream-drop', 'stream-drop happens to streams; write openStream or *'],
    [
      'openStream:half-answer',
      'half-answer happens to answers with a body, and openStream opens a stream; write another',
    ],
    ['openStream:stream-duplicate:0', 'is not a share above 0, up to 1'],
  ])('"%s" is refused with a reason', (text, reason) => {
    const rule = parseFault(text);
    expect('problem' in rule ? rule.problem : 'no problem').toContain(reason);
  });

  it('says everything that is wrong with one at once', () => {
    const rule = parseFault('sendMesage:stal:p=2');
    expect('problem' in rule && rule.problem).toBe(
      `"sendMesage:stal:p=2": there is no operation "sendMesage", did you mean sendMessage; write * for all of them; there is no fault "stal", did you mean stall; there are ${faultNames.join(', ')}; "p=2" is not a probability above 0, up to 1; write ${whenForms}`,
    );
    const misplaced = parseFault('readTurn:stream-drop:x:every=0');
    expect('problem' in misplaced && misplaced.problem).toContain(
      'stream-drop happens to streams; write openStream or *; stream-drop',
    );
    expect('problem' in misplaced && misplaced.problem).toContain('"every=0" needs a whole number above 0');
  });

  it('is told among all other mistakes of the settings, by its place', () => {
    try {
      settle({ port: -1, faults: ['readTurn:stall', 'readTurn:stal', 'x:y'] });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
      expect((error as ConfigurationError).problems.map(({ path }) => path).sort()).toEqual([
        'faults.1',
        'faults.2',
        'port',
      ]);
    }
  });
});

describe('the help', () => {
  it('names every fault with its parameters and a sentence', () => {
    const help = describeFaults();
    for (const name of faultNames) expect(help).toMatch(new RegExp(`\\n  ${name}\\S*\\n      [A-Z].+\\.`));
    expect(help).toContain('p=0.05');
  });
});

describe('when', () => {
  const struck = (when: When, upTo = 20) =>
    Array.from({ length: upTo }, (_, index) => index + 1).filter((number) =>
      strikesAt(when, number, seededRandom(1, 'x', number)),
    );
  it('strikes by number, by range and every k-th', () => {
    expect(struck({ kind: 'numbers', from: 3, to: 3 })).toEqual([3]);
    expect(struck({ kind: 'numbers', from: 3, to: 6 })).toEqual([3, 4, 5, 6]);
    expect(struck({ kind: 'every', step: 7 })).toEqual([7, 14]);
    expect(struck({ kind: 'always' }, 3)).toEqual([1, 2, 3]);
  });
  it('strikes as often as its probability says, within five standard deviations', () => {
    const n = 4_000;
    const hits = struck({ kind: 'probability', probability: 0.05 }, n).length;
    expect(Math.abs(hits - n * 0.05)).toBeLessThan(5 * Math.sqrt(n * 0.05 * 0.95));
    expect(struck({ kind: 'probability', probability: 1 }, 50)).toHaveLength(50);
  });
});
