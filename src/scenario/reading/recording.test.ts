import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../index.ts';
import type { RecordingSource } from './recorded-times.ts';
import { readRecording } from './recording.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'spillway-recording-'));

function read(name: string, text: string, source: Partial<RecordingSource> = {}) {
  const file = join(folder(), name);
  writeFileSync(file, text);
  const result = readRecording({ file, column: 'at', ...source });
  return result.ok
    ? [...result.recording.offsetsUs]
    : result.problems.map(({ line, message, hint }) =>
        [line, message, hint].filter((part) => part !== undefined).join('; '),
      );
}

describe('a CSV of times', () => {
  it.each([
    ['numbers, in seconds', 'at\n0\n0.5\n2.125\n', {}, [0, 500_000, 2_125_000]],
    ['numbers in another unit', 'at\n5\n7.5\n', { unit: 'ms' as const }, [0, 2_500]],
    ['numbers in the unit that the column names', 'sent_us\n5\n7500\n', { column: 'sent_us' }, [0, 7_495]],
    ['numbers in a unit that is said', 'sent_us\n5\n7.5\n', { column: 'sent_us', unit: 's' as const }, [0, 2_500_000]],
    [
      'instants, the first of which is the start',
      'who,at\na,2026-01-15T09:00:00.250Z\nb,2026-01-15T10:00:01+01:00\n',
      {},
      [0, 750_000],
    ],
    [
      'instants to the microsecond, in any zone',
      'at\n2026-01-15T09:00:00.250123Z\n"2026-01-15 10:00:00,250923+01"\n2026-01-15T03:30:00.251000001-0530\n',
      {},
      [0, 800, 877],
    ],
    [
      'instants without a zone, also where clocks of this machine would be changed between them',
      'at\n2026-03-29T01:59:59.5\n2026-03-29 03:00\n',
      {},
      [0, 3_600_500_000],
    ],
    ['durations, also beside numbers', 'at\n1s\n1500ms\n1min\n2\n', {}, [0, 500_000, 1_000_000, 59_000_000]],
    ['another column', 'time,at\n3,x\n4,y\n', { column: 'time' }, [0, 1_000_000]],
    ['times out of order', 'at\n9\n3\n5\n', {}, [0, 2_000_000, 6_000_000]],
    ['quoted fields and CRLF', '"at"\r\n"1"\r\n"2"\r\n', {}, [0, 1_000_000]],
  ])('%s', (_, text, source, offsets) => {
    expect(read('times.csv', text, source)).toEqual(offsets);
  });

  it.each([
    ['no such column', 'when,who\n1,a\n', ['1; has no column "at"; write column: with one of when, who']],
    ['nothing at all', '', ['1; has no column "at"; write a header line, and a time in each row']],
    ['a header alone', 'at\n', ['has no times; write a row for each arrival']],
    [
      'instants in zones that there are not, and a fraction of a minute',
      'at\n2026-01-15T09:00:00Z\n2026-01-15T09:00:01+99:00\n2026-01-15T09:00:02-01:75\n2026-01-15T09:00.5Z\n',
      ['2026-01-15T09:00:01+99:00', '2026-01-15T09:00:02-01:75', '2026-01-15T09:00.5Z'].map(
        (text, row) =>
          `${row + 3}; "${text}" is not a time of the same kind as the others; write an instant with its zone in every row`,
      ),
    ],
    [
      'what is no time',
      'at\n1\nsoon\n-3\n',
      [
        '3; "soon" is not a time of the same kind as the others; write for example 1.5, 1.5s or 2026-01-15T09:00:00.250Z',
        '4; "-3" is not a time of the same kind as the others; write for example 1.5, 1.5s or 2026-01-15T09:00:00.250Z',
      ],
    ],
    [
      'instants beside numbers',
      'at\n2026-01-15T09:00:00Z\n5\n',
      ['3; "5" is not a time of the same kind as the others; write an instant with its zone in every row'],
    ],
    [
      'instants with and without a zone',
      'at\n2026-01-15T09:00:00\n2026-01-15T09:00:00Z\n',
      [
        '3; "2026-01-15T09:00:00Z" is not a time of the same kind as the others; write an instant in every row, either all with a zone or none',
      ],
    ],
    [
      'a decimal comma',
      'at,who\n1,5,a\n2,b\n3\n',
      [
        '2; has 3 cells where the header has 2; a comma within a cell needs quotes; decimals are written with a point',
        '4; has 1 cell where the header has 2; a comma within a cell needs quotes; decimals are written with a point',
      ],
    ],
    ['two columns of one name', 'at,at\n1,2\n', ['1; has several columns "at"; give each a name of its own']],
    ['no such column, below empty lines', '\n\nwhen\n1\n', ['3; has no column "at"; write column: with one of when']],
    [
      'two columns of one name, below an empty line',
      '\nat,at\n1,2\n',
      ['2; has several columns "at"; give each a name of its own'],
    ],
    [
      'a day that is none',
      'at\n2026-02-28T00:00:00Z\n2026-02-30T00:00:00Z\n',
      [
        '3; "2026-02-30T00:00:00Z" is not a time of the same kind as the others; write an instant with its zone in every row',
      ],
    ],
    ['a quote that is not closed', 'at\n"1\n', ['2; a quoted field is not closed; end it with "']],
  ])('refuses %s', (_, text, problems) => {
    expect(read('times.csv', text)).toEqual(problems);
  });

  it('reports the first wrong rows, and how many more there are', () => {
    const problems = read('times.csv', `at\n${'x\n'.repeat(1_000)}`);
    expect(problems).toHaveLength(21);
    expect(problems.slice(19)).toEqual([
      '21; "x" is not a time of the same kind as the others; write for example 1.5, 1.5s or 2026-01-15T09:00:00.250Z',
      'has 980 more problems, probably of the same kind',
    ]);
    expect(read('times.csv', `at\n${'1,2\n'.repeat(21)}`).at(-1)).toBe('has 1 more problem, probably of the same kind');
  });
});

describe('the journal of a run', () => {
  const lines = [
    { kind: 'header', format: 'spillway-history' },
    { kind: 'exchange', seq: 1, arrival: 1, operation: 'sendMessage', intendedAt: 3_000_000 },
    { kind: 'exchange', seq: 0, arrival: 0, operation: 'createConversation', intendedAt: 1_000_000 },
    { kind: 'exchange', seq: 2, arrival: 0, operation: 'sendMessage', intendedAt: 2_000_000 },
    { kind: 'drop', arrival: 2, intendedAt: 2_500_000, journey: 'a', reason: 'cap' },
    { kind: 'health', at: 5 },
    { kind: 'end', at: 6, complete: true },
  ];
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"kind":"exchange","arr`;

  it('gives the first request of each arrival, and dropped arrivals; a truncated line is skipped', () => {
    expect(read('history.ndjson', text)).toEqual([0, 1_500_000, 2_000_000]);
    const whole = text.slice(0, text.lastIndexOf('\n'));
    expect(read('history.ndjson', whole)).toEqual([0, 1_500_000, 2_000_000]);
  });

  it('is found in the folder of a run', () => {
    const run = folder();
    expect(readRecording({ file: run, column: 'at' })).toMatchObject({
      ok: false,
      problems: [{ message: 'is a folder without a history.ndjson' }],
    });
    writeFileSync(join(run, 'history.ndjson'), text);
    const result = readRecording({ file: run, column: 'at' });
    expect(result.ok && [...result.recording.offsetsUs]).toEqual([0, 1_500_000, 2_000_000]);
  });

  it('refuses one without its end record: arrivals may be missing', () => {
    expect(read('history.ndjson', text.replace(/.*"kind":"end".*\n/, ''))).toEqual([
      'belongs to a run that was killed or is still running: its journal has no end record, so arrivals may be missing; replay a run that completed, or run the scenario itself with the seed of that run',
    ]);
  });

  it('refuses one of a run that was stopped: most of its arrivals have no times', () => {
    const leftOver = {
      kind: 'drop',
      arrival: 3,
      intendedAt: 3e6,
      journey: 'a',
      reason: 'stopped',
      count: 7,
      lastArrival: 9,
    };
    expect(read('history.ndjson', `${JSON.stringify(leftOver)}\n${text}`)).toEqual([
      'belongs to a run that was stopped early: the times of 7 of its 10 arrivals are not recorded; replay a run that completed, or run the scenario itself with the seed of that run',
    ]);
  });

  it('refuses one of a run of users that was interrupted: the arrivals that it did not reach are not recorded', () => {
    const ended = (reason: string) => text.replace('"complete":true', `"complete":false,"reason":"${reason}"`);
    expect(read('history.ndjson', ended('interrupted'))).toEqual([
      'belongs to a run that was stopped early: the arrivals that it did not reach are not recorded; replay a run that completed, or run the scenario itself with the seed of that run',
    ]);
    expect(read('history.ndjson', ended('deadline'))).toEqual([0, 1_500_000, 2_000_000]);
  });

  it('refuses one whose end counts other arrivals than it names: lines are lost', () => {
    const counting = (arrivals: number) => text.replace('"complete":true', `"complete":true,"arrivals":${arrivals}`);
    expect(read('history.ndjson', counting(3))).toEqual([0, 1_500_000, 2_000_000]);
    expect(read('history.ndjson', counting(4))).toEqual([
      'is damaged: it names 3 of the 4 arrivals that its end record counts; replay a journal that is whole',
    ]);
  });

  it('takes arrival times from journey records: they precede requests delayed by pauses, and need no request', () => {
    const journeys = [
      { kind: 'journey', arrival: 1, intendedAt: 2_800_000 },
      { kind: 'journey', arrival: 3, intendedAt: 500_000 },
    ];
    const told = journeys.map((journey) => `${JSON.stringify(journey)}\n`).join('');
    expect(read('history.ndjson', `${told}${text}`)).toEqual([0, 500_000, 2_000_000, 2_300_000]);
  });

  it('refuses one without arrivals, and other kinds of files', () => {
    expect(read('history.ndjson', '{"kind":"header"}\nnull\n')).toEqual([
      'has no arrivals; name the journal of a run that sent something',
    ]);
    expect(read('times.txt', '1\n2\n')).toEqual([
      'is not a recording; give a .csv, a history.ndjson, or the folder of a run',
    ]);
  });
});

describe('a scenario that replays', () => {
  it('is loaded with the times, wherever the load model stands', async () => {
    const home = folder();
    mkdirSync(join(home, 'times'));
    writeFileSync(join(home, 'times', 'a.csv'), 'at\n1\n4\n');
    writeFileSync(join(home, 'times', 'b.csv'), 'ms\n10\n30\n');
    const journeys = 'journeys: { ask: { steps: [{ pause: 1s }] } }';
    const [a, b] = [
      '{ model: replay, file: times/a.csv }',
      '{ model: replay, file: times/b.csv, column: ms, unit: ms }',
    ];
    const offsetsOf = async (load: string) => {
      writeFileSync(join(home, 's.yaml'), `name: replaying\n${journeys}\n${load}\n`);
      const { scenario } = await loadScenario(join(home, 's.yaml'), { env: {} });
      const models = [scenario.load ?? [], ...(scenario.phases ?? []).map((phase) => phase.load)].flat();
      return models.map((model) =>
        'recording' in model ? [...(model.recording as { offsetsUs: Float64Array }).offsetsUs] : model.model,
      );
    };
    expect(await offsetsOf(`load: ${a}`)).toEqual([[0, 3_000_000]]);
    expect(await offsetsOf(`load: [{ model: burst, count: 1 }, ${b}]`)).toEqual(['burst', [0, 20_000]]);
    expect(await offsetsOf(`phases:\n  - { name: p, load: [${a}] }\n  - { name: q, load: [${b}] }`)).toEqual([
      [0, 3_000_000],
      [0, 20_000],
    ]);
  });

  it.each([
    ['', '3:30 load.file: lasts more than ten years; add unit: ms or unit: us if its times are no seconds, or a speed'],
    [', speed: 2', '3:44 load.speed: makes the replay last more than ten years; raise it'],
    [', unit: ms', undefined],
    [', unit: us', undefined],
    [', speed: 1000', undefined],
  ])('lasts ten years at most: times%s', async (settings, problem) => {
    const home = folder();
    writeFileSync(join(home, 'a.csv'), 'at\n1764270000000\n1764973800000\n');
    const load = `load: { model: replay, file: a.csv${settings} }`;
    writeFileSync(join(home, 's.yaml'), `name: long\njourneys: { ask: { steps: [{ pause: 1s }] } }\n${load}\n`);
    const told = await loadScenario(join(home, 's.yaml'), { env: {} }).then(
      () => undefined,
      (error: Error) => error.message.replaceAll(`${home}/s.yaml:`, ''),
    );
    expect(told).toBe(problem);
  });

  it('reports problems of the file together with problems of the scenario', async () => {
    const home = folder();
    writeFileSync(join(home, 'a.csv'), 'at\n1\nx\n');
    writeFileSync(join(home, 's.yaml'), 'name: bad\njourneys: {}\nload: { model: replay, file: a.csv }\n');
    const error = (await loadScenario(join(home, 's.yaml'), { env: {} }).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message.replaceAll(`${home}/`, '').split('\n')).toEqual([
      's.yaml:2:11 journeys: needs at least one journey',
      'a.csv:3:1: "x" is not a time of the same kind as the others; write for example 1.5, 1.5s or 2026-01-15T09:00:00.250Z',
    ]);
  });
});
