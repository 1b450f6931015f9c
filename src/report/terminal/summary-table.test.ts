import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { hostileRun } from '../exporters/hostile-run.exam.ts';
import { emptyRun, exchange, header, sampleRun } from '../exporters/journals.exam.ts';
import { crowdedRun } from './crowded-run.exam.ts';
import { renderSummary } from './summary-table.ts';

describe('renderSummary', () => {
  it('has this exact output at 80 columns without colour', () => {
    const text = renderSummary(summaryOf(sampleRun), { columns: 80, folder: 'results/sample-2026-11-21T12-00-00Z' });
    expect(`\n${text}`).toMatchInlineSnapshot(`
      "
      sample against sandbox, 12.0 s, complete
      2 arrivals, 9 exchanges, 1 exchange of warm-up left out, 40/min, seed 7

      operation         count   ok  429  err     time     p50     p90     p99     max
      createConversation    1    1    0    0  service       –       –       –  2.8 ms
                                             response       –       –       –  2.9 ms
      sendMessage           2    1    1    0  service       –       –       –  5.4 ms
                                             response       –       –       –  7.2 ms
      readTurn              2    2    0    0  service  3.1 ms       –       –  4.4 ms
                                             response  3.1 ms       –       –  4.5 ms
      readHistory           1    1    0    0  service       –       –       –  4.0 ms
                                             response       –       –       –  4.0 ms
      rateAnswer            2    0    0    2  service       –       –       –       –
                                             response       –       –       –       –
      – too few samples: p50 (have 1, need 2), p90 (have 1 to 2, need 10), p99 (have 1
      to 2, need 100); no request succeeded

      stage                  planned achieved  journeys    429    err resp p50     p90
      ? quiet                  6/min    0/min       0/0      0      0   2.9 ms       –
      ? climb.stair-1         12/min    0/min       0/0      0      0        –       –
      ✗ climb.stair-2         24/min    0/min       0/1 16.7 % 33.3 %   4.0 ms       –
      knee          no stage is known to have held; climb.stair-2 (24/min) was the
                    first that did not: 1 of 6 exchanges refused (16.7 %; rate 1), 2
                    of 6 exchanges failed (33.3 %); undecided: quiet (no journey that
                    began in it is recorded), climb.stair-1 (no journey that began in
                    it is recorded); climb.stair-2 is shorter than the rate limit's
                    window, so requests of earlier stages count in it

      turns         1 of 1 completed, 0 failed, 0 not seen to finish; 2 polls
      completion    p50 –, p90 –, p99 –, max 2.00 s (1 turn)
      first event   p50 –, p90 –, p99 –, max 1.49 s
      429s          1 of 8 exchanges (12.5 %) after the warm-up: rate 1, concurrency
                    0, daily 0
      limit usage   busiest clock minute 5 of 20; open turns 1 of 2; busiest UTC day 1
                    of 50 new messages
      waited for    openTurns 1 × 1.5 ms (max 1.5 ms); requestsPerMinute 1 × 0.25 ms
                    (max 0.25 ms)
      drops         1 arrival never started: max-in-flight 1
      errors        rateAnswer ECONNRESET × 1, rateAnswer deadline × 1
      expectations  1 of 2 not met
                    ✗ exchange 6: messages.0.role is "user", not "assistant"
      generator     event loop p99 0.9 ms, schedule lag max 0.1 ms, CPU 8 % of a core

      results       results/sample-2026-11-21T12-00-00Z
      "
    `);
  });

  it('says how to see what is wrong with answers of another shape', () => {
    const summary = summaryOf(emptyRun);
    const errors = [{ operation: 'readTurn', kind: 'body', what: 'wrong-shape', count: 2 }] as const;
    expect(renderSummary({ ...summary, errors }, { columns: 120 })).toContain(
      'errors        readTurn wrong-shape × 2 (run it with --once --debug to see what the answers lack)',
    );
  });

  it('of a run without anything has no line of what there was not', () => {
    const summary = summaryOf(emptyRun);
    const lines = [
      'sample against sandbox, 1.00 s, complete',
      '0 arrivals, 0 exchanges, seed 7',
      '',
      'nothing was sent',
      '',
      '429s          0 of 0 exchanges (–): rate 0, concurrency 0, daily 0',
    ];
    expect(renderSummary(summary, { columns: 80 }).trimEnd().split('\n')).toEqual(lines);
    const paused = (gcUs: number) => ({ ...summary, health: { ...summary.health, gcMaxUs: us(gcUs) } });
    expect(renderSummary(paused(9_999), { columns: 80 }).trimEnd().split('\n')).toEqual(lines);
    expect(renderSummary(paused(10_000), { columns: 80 }).trimEnd().split('\n')).toEqual([
      ...lines,
      'generator     GC pause up to 10 ms',
    ]);
  });

  it('names the bucket of a limit if there were several, and the workers', () => {
    const { fullestWindow, fullestDay, limits: _, ...rest } = summaryOf(sampleRun);
    if (!fullestWindow || !fullestDay) throw new Error('no limit was used');
    const several = {
      ...rest,
      fullestWindow: { ...fullestWindow, of: 'u7', among: 2 },
      fullestDay,
      health: { ...rest.health, workers: 2 },
    };
    const text = renderSummary(several, { columns: 300 });
    expect(text).toContain('limit usage   busiest clock minute 5 (u7); open turns 1; busiest UTC day 1 new messages\n');
    expect(text).toContain('CPU 8 % of a core for each of 2 workers\n');
  });

  it('says of more than is allowed that the service may count it elsewhere, which is no proof', () => {
    const { fullestWindow, fullestDay, limits, ...rest } = summaryOf(sampleRun);
    if (!fullestWindow || !fullestDay || !limits) throw new Error('no limit was used');
    const textOf = (admitted: number, used: number) => {
      const use = { fullestWindow: { ...fullestWindow, admitted }, fullestDay: { ...fullestDay, used } };
      return renderSummary({ ...rest, limits, ...use }, { columns: 300 });
    };
    expect(textOf(20, 50)).toContain('busiest clock minute 20 of 20; ');
    expect(textOf(20, 50)).toContain('busiest UTC day 50 of 50 new messages\n');
    const windows = "busiest clock minute 21 of 20 (the service's own windows may begin elsewhere); ";
    expect(textOf(21, 51)).toContain(windows);
    const days = "busiest UTC day 51 of 50 new messages (the service's own days may begin elsewhere)\n";
    expect(textOf(21, 51)).toContain(days);
  });

  it.each([
    ['an empty run', emptyRun],
    ['a hostile run', hostileRun],
    ['a crowded run', crowdedRun()],
  ])('has no line over 80 columns and at most 45 lines for %s', (_, run) => {
    const lines = renderSummary(summaryOf(run), { columns: 80, folder: 'results/x' }).trimEnd().split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });

  it.each([
    ['an empty run', emptyRun],
    ['a hostile run', hostileRun],
    ['a crowded run', crowdedRun()],
  ])('has no line wider than a narrow terminal for %s', (_, run) => {
    const summary = summaryOf(run);
    for (const columns of [40, 41, 52, 66, 79])
      expect(
        renderSummary(summary, { columns })
          .split('\n')
          .filter((line) => line.length > columns),
      ).toEqual([]);
  });

  it('counts turns whose acceptance is lost among those of which some completed', () => {
    const turn = { id: 't0', status: 'completed' };
    const polled = exchange(0, { status: 200, headersAt: us(2_000), turn });
    expect(summaryOf([header(), polled]).turns).toMatchObject({ accepted: 0, completed: 1 });
    expect(renderSummary(summaryOf([header(), polled]), { columns: 120 })).toContain(
      'turns         1 of 1 completed, 0 failed, 0 not seen to finish; 1 poll\n',
    );
  });

  it('says how many streams were broken off, whatever the journeys did then', () => {
    const broken = (turn: string): JournalRecord => ({
      kind: 'stream',
      turn,
      event: 'closed',
      at: us(9_000),
      reason: 'dropped',
    });
    const summary = summaryOf([
      header(),
      broken('t0'),
      exchange(0, { status: 200, turn: { id: 't0', status: 'queued' } }),
    ]);
    expect(renderSummary(summary, { columns: 120 })).toContain(
      'turns         0 of 1 completed, 0 failed, 1 not seen to finish; 1 poll; 1 stream broken off\n',
    );
  });

  it("gives completion by polling as an interval, next to the service's own value", () => {
    const turns = Array.from({ length: 30 }, (_, i): JournalRecord[] => [
      exchange(2 * i, {
        operation: 'sendMessage',
        status: 202,
        sentAt: us(0),
        headersAt: us(2_000),
        turn: { id: `t${i}`, status: 'queued' },
        message: { id: `m${i}`, digest: 'd' },
      }),
      exchange(2 * i + 1, {
        sentAt: us(500_000),
        headersAt: us(502_000 + i * 1_000),
        status: 200,
        turn: { id: `t${i}`, status: 'completed', latencyMs: 420 },
      }),
    ]).flat();
    const text = renderSummary(summaryOf([header(), ...turns]), { columns: 120 });
    expect(text).toContain('p90 526 ms, p99 –, max 529 ms (30 turns); 95 % bounds of p90 523 ms to 529 ms');
    expect(text).toContain(
      'by poll       p50 between 0 ms and 516 ms, limited by the poll interval; the service reports 420 ms on its clock',
    );
    const running = exchange(60, { sentAt: us(100_000), status: 200, turn: { id: 't0', status: 'running' } });
    expect(renderSummary(summaryOf([header(), ...turns, running]), { columns: 130 })).toContain(
      'by poll       p50 between 0 ms and 516 ms, limited by the poll interval and by polls whose status the profile does not list;',
    );
  });

  it('merges journeys that stopped at the same operation for the same reason', () => {
    const stop = (index: number, journey: string, because: string): JournalRecord => ({
      kind: 'journey',
      arrival: index,
      journey,
      startedAt: us(0),
      endedAt: us(9),
      outcome: 'stopped',
      stoppedAt: { operation: 'sendMessage', because },
    });
    const stops = [stop(0, 'reader', 'status 500'), stop(1, 'hasty', '429'), stop(2, 'hasty', 'status 500')];
    expect(renderSummary(summaryOf([header(), ...stops]), { columns: 200 })).toContain(
      '0 of 3 reached their end (hasty 0 of 2, reader 0 of 1), 3 stopped (2 at sendMessage: status 500, 1 at sendMessage: 429)',
    );
  });

  it('says of which journeys how many reached their end, so that policies can be compared, the worst first', () => {
    const ended = (arrival: number, journey: string, isDone: boolean): JournalRecord => ({
      kind: 'journey',
      arrival,
      journey,
      startedAt: us(0),
      endedAt: us(9),
      ...(isDone
        ? { outcome: 'completed' }
        : { outcome: 'stopped', stoppedAt: { operation: 'sendMessage', because: '429' } }),
    });
    const ends = [ended(0, 'obey', true), ended(1, 'own', true), ended(2, 'own', false), ended(3, 'stop', false)];
    expect(renderSummary(summaryOf([header(), ...ends]), { columns: 200 })).toContain(
      '2 of 4 reached their end (stop 0 of 1, own 1 of 2, obey 1 of 1), 2 stopped (2 at sendMessage: 429)',
    );
  });

  it('says why there are no exchanges', () => {
    const nothing = renderSummary(summaryOf([header()]));
    expect(nothing).toContain('\n\nnothing was sent\n');
    const sent: JournalRecord = { kind: 'sent', seq: 0, operation: 'issueToken', at: us(5) };
    const cut = renderSummary(summaryOf([header(), sent]));
    expect(cut).toContain('\n\nno answer is recorded for any request\n');
    expect(cut).toContain('1 request sent without a recorded answer');
  });

  it('differs only by colour when coloured', () => {
    const summary = summaryOf(sampleRun);
    const coloured = renderSummary(summary, { color: true });
    expect(coloured).toContain('\u001b[');
    expect(stripVTControlCharacters(coloured)).toBe(renderSummary(summary));
  });
});
