import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import { liveState as state } from '../../testing/live-state.ts';
import { liveLines, plainLine } from './live-lines.ts';
import type { LivePhase } from './live-state.ts';
import { liveView } from './live-view.ts';

/** A stream that stores what is written to it. */
function kept(): { stream: NodeJS.WriteStream; text: () => string } {
  const stream = new PassThrough();
  // Since Node 26 each `read` returns what one write has passed.
  const chunks = function* () {
    for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) yield String(chunk);
  };
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => [...chunks()].join('') };
}

/** Width of a text in terminal columns; Chinese and Japanese characters take two. */
const widthOf = (text: string): number =>
  Array.from(text).reduce((width, character) => width + (/[\u3000-\u9fff\uff00-\uff60]/.test(character) ? 2 : 1), 0);

describe('live view', () => {
  it('shows a state in lines for a terminal', () => {
    expect(liveLines(state(), 80)).toEqual([
      'run           12.3 s, 27.7 s left',
      'requests      1,200, 4.23/s; now p50 12 ms, p95 40 ms',
      'minute        ████████████████████████  20 of 20',
      'open turns    ████████████░░░░░░░░░░░░  at most 1 of 2',
      'UTC day       ███████████████░░░░░░░░░  31 of 50',
      'refused       rate 12, concurrency 3, daily 0, naming no limit 1',
      'problems      2 errors, 1 drop',
    ]);
  });

  it('shows a full limit as a warning, but not a phase that is over', () => {
    const colors = pc.createColors(true);
    const full = '█'.repeat(24);
    const text = liveLines(state({ phase: 'phase-1', phases: phases(10, 4) }), 80, colors).join('\n');
    expect(text).toContain(colors.yellow(full));
    expect(text).toContain(colors.cyan(full));
    const below = liveLines(state({ minute: { used: 99, max: 100 } }), 80, colors).join('\n');
    expect(below).not.toContain(colors.yellow(full));
    expect(below).toContain(colors.cyan(full));
  });

  const phases = (...lengths: readonly number[]): LivePhase[] =>
    lengths.map((seconds, i) => ({
      name: `phase-${i}`,
      startUs: us(lengths.slice(0, i).reduce((sum, length) => sum + length, 0) * 1_000_000),
      durationUs: us(seconds * 1_000_000),
    }));

  it('shows the progress and the remaining time of each phase', () => {
    const lines = liveLines(state({ phase: 'phase-1', phases: phases(10, 4, 30), leftUs: us(31_700_000) }), 80);
    expect(lines.slice(0, 4)).toEqual([
      'phase-0       ████████████████████████  done',
      'phase-1       ██████████████░░░░░░░░░░  1.70 s left',
      'phase-2       ░░░░░░░░░░░░░░░░░░░░░░░░  in 1.70 s',
      'run           12.3 s, 31.7 s left; now phase-1',
    ]);
  });

  it('shows the phases around the current one if there are many, and the finishing phase last', () => {
    const many = liveLines(state({ phase: 'phase-6', phases: phases(...Array<number>(20).fill(2)) }), 80);
    expect(many.slice(0, 4).map((line) => line.split(' ')[0])).toEqual(['phase-5', 'phase-6', 'phase-7', 'phase-8']);
    expect(many[3]).toMatch(/in 3\.70 s; 16 more phases$/);
    const { leftUs: _, ...over } = state({ phase: 'finishing', goingOn: { journeys: 2 }, phases: phases(10, 1) });
    expect(liveLines(over, 100)[2]).toBe(
      'run           12.3 s, 1.30 s beyond the plan; all arrivals have started; 2 journeys go on',
    );
    const burst = { ...over, phases: phases(0), goingOn: {} };
    expect(liveLines(burst, 80)[0]).toBe('run           12.3 s, all arrivals have started; journeys go on');
    const { goingOn: __, ...stopped } = { ...over, phases: phases(10, 20) };
    expect(liveLines(stopped, 80)[2]).toBe('run           12.3 s, nothing more is started; waiting for open requests');
  });

  it('says how many requests waited for a connection', () => {
    const finishing = { phase: 'finishing', goingOn: { journeys: 1 } } as const;
    const { leftUs: _, ...over } = state({ ...finishing, phases: phases(10), connectionQueue: 1_300 });
    expect(liveLines(over, 80)).toContain(
      'problems      2 errors, 1 drop, up to 1,300 requests waited for a connection',
    );
    expect(plainLine(over)).toMatch(
      /^12\.3 s all arrivals have started; 1 journey goes on \(2\.30 s beyond the plan\): .*, 2 errors, 1 drop, up to 1,300 requests waited/,
    );
  });

  it('says of a run that was stopped which phases were cut off or not reached', () => {
    const { leftUs: _, ...stopped } = state({ phase: 'finishing', phases: phases(10, 4, 30) });
    expect(
      liveLines(stopped, 80)
        .slice(0, 3)
        .map((line) => line.replaceAll(/[█░ ]+/g, ' ')),
    ).toEqual(['phase-0 done', 'phase-1 stopped', 'phase-2 not reached']);
    // What is open ends later than the phases would have.
    expect(
      liveLines({ ...stopped, elapsedUs: us(50_000_000), stoppedUs: us(8_000_000) }, 80)
        .slice(0, 3)
        .map((line) => line.replaceAll(/ +/g, ' ')),
    ).toEqual([
      'phase-0 ███████████████████░░░░░ stopped',
      'phase-1 ░░░░░░░░░░░░░░░░░░░░░░░░ not reached',
      'phase-2 ░░░░░░░░░░░░░░░░░░░░░░░░ not reached',
    ]);
  });

  it('shows a phase of unknown length as lasting until it is done', () => {
    const [first, last] = phases(10, 0);
    const plan = [first, { ...last, untilDone: true }] as LivePhase[];
    const { leftUs: _, ...going } = state({ phase: 'phase-1', phases: plan });
    expect(liveLines(going, 80).slice(0, 3)).toEqual([
      'phase-0       ████████████████████████  done',
      'phase-1       ░░░░░░░░░░░░░░░░░░░░░░░░  until done',
      'run           12.3 s; now phase-1',
    ]);
    expect(liveLines({ ...going, phase: 'finishing' }, 80)[1]).toMatch(/ {2}done$/);
  });

  it('shows a range where it is open whether some requests were admitted', () => {
    const line = liveLines(state({ minute: { used: 18, possible: 21, max: 20 } }), 80)[2];
    expect(line).toBe('minute        ██████████████████████░░  18 to 21 of 20');
  });

  it('shows the fullest bucket of a limit with several buckets', () => {
    const shared = state({
      minute: { used: 18, max: 20, fullestOf: { buckets: 3, scope: 'application' } },
      windowUs: us(1e7),
    });
    expect(liveLines(shared, 80)[2]).toBe(
      'window        ██████████████████████░░  18 of 20 (fullest of 3 applications)',
    );
    expect(plainLine(shared)).toContain('window 18 of 20 (fullest of 3 applications), open turns at most 1 of 2');
  });

  it('fits 80 × 24 with all possible lines, with and without colour', () => {
    const worst = state({
      phase: '問題のあるフェーズ'.repeat(9),
      phases: phases(3, 3, 3, 3, 3, 3, 3).map((phase) => ({ ...phase, name: '問題のあるフェーズ'.repeat(9) })),
      requests: 123_456_789,
      refused: { rate: 1e9, concurrency: 1e9, daily: 1e9, unattributed: 1e9 },
      minute: { used: 1e9, max: 1e9, fullestOf: { buckets: 1e6, scope: 'conversation' } },
      errors: 1e9,
      drops: 1e9,
      service: { p50Us: us(3.6e9), p95Us: us(3.6e9) },
      warnings: Array<string>(9).fill('a warning that goes on and on '.repeat(9)),
    });
    for (const color of [false, true]) {
      const lines = liveLines(worst, 80, pc.createColors(color));
      expect(lines.length).toBeLessThanOrEqual(23);
      expect(lines.map((line) => widthOf(stripVTControlCharacters(line))).filter((width) => width > 80)).toEqual([]);
      expect(lines.join('').includes('\u001b')).toBe(color);
    }
  });

  it('stays within the width and makes warnings inert', () => {
    const lines = liveLines(
      state({ phase: 'a\u001b[2Jb'.repeat(9), warnings: ['\u001b]0;owned\u0007 and more words '.repeat(4)] }),
      60,
    );
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });

  it.each([30, 34, 40])('breaks no line and no word at %i columns', (columns) => {
    const warnings = ['requests leave 15 ms after they are due'];
    const lines = liveLines(state({ warnings }), columns);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    const words = lines.join(' ').split(/\s+/);
    for (const word of ['27.7', 'left', 'p95', 'concurrency', '1,200,', 'due']) expect(words).toContain(word);
  });

  it('wraps a warning rather than cut its number off', () => {
    const warning =
      "the generator is behind: half of the last second's requests left 52 ms or more after they were due";
    expect(plainLine(state({ warnings: [warning, 'another'] }))).toMatch(
      /: .*, warning: the generator .*, warning: another$/,
    );
    const lines = liveLines(state({ warnings: [warning] }), 80);
    expect(lines.slice(-2)).toEqual([
      "warning       the generator is behind: half of the last second's requests left",
      '              52 ms or more after they were due',
    ]);
  });

  it('omits times and rates that were not measured', () => {
    const { perSecond: _now, ...begun } = state();
    expect(liveLines(begun, 80)).toContain('requests      1,200; now p50 12 ms, p95 40 ms');
    const { leftUs: _, ...rest } = state({ errors: 0, drops: 0, service: {} });
    expect(liveLines(rest, 80)).toContain('requests      1,200, 4.23/s');
    expect(plainLine(rest)).toBe(
      '12.3 s burst: 1,200 requests, 4.23/s, minute 20 of 20, open turns at most 1 of 2, UTC day 31 of 50, refused: rate 12, concurrency 3, daily 0, naming no limit 1',
    );
  });

  it('writes a plain line every 5 s of run time without a terminal', async () => {
    const { stream, text } = kept();
    const view = await liveView({ stream, isTTY: false, color: false });
    for (let second = 0; second <= 12; second++) view.update(state({ elapsedUs: us(second * 1_000_000) }));
    view.finish();
    const lines = text().trimEnd().split('\n');
    expect(lines.map((line) => line.split(' burst')[0])).toEqual(['0 ms', '5.00 s', '10.0 s']);
  });

  it('redraws in place on a terminal and removes its lines at the end', async () => {
    const { stream, text } = kept();
    const view = await liveView({ stream, isTTY: true, color: false });
    view.update(state());
    view.update(state({ requests: 1_300 }));
    const drawn = text();
    expect(stripVTControlCharacters(drawn)).toContain('1,300, 4.23/s');
    view.finish();
    view.finish();
    view.update(state({ requests: 9_999 }));
    expect(text()).not.toContain('9,999');
    expect(drawn).toContain('\u001b[');
  });
});
