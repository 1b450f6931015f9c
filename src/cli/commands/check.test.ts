import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import { shellWord } from '../../base/index.ts';
import type { Header, JournalRecord } from '../../history/index.ts';
import type { VerdictsDocument } from '../../report/index.ts';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { end, exchange, header, poll, us } from '../../testing/history/sample-records.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

/** A journal on disk. @returns its path */
function journal(records: readonly JournalRecord[], accepted: readonly { violation: string; reason: string }[] = []) {
  const file = join(temporaryFolder(), 'history.ndjson');
  const exchanges = records.filter(({ kind }) => kind === 'exchange').length;
  const whole = [header({ profile: TargetProfileSchema.parse({ accepted }) }), ...records, end({ exchanges })];
  writeFileSync(file, whole.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

/** 41 requests within 41 ms: no reading of 20 per minute admits more than 40. */
const tooMany = Array.from({ length: 41 }, (_, seq) =>
  exchange({ seq, conversation: 'c1', token: 't1', sentAt: us(seq * 1_000) }),
);
const wentBack = [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'queued', 5_000, 5_900)];
const check = async (...args: readonly string[]) => typed(['check', ...args], temporaryFolder());

describe('check', () => {
  it('proves a broken limit with exit code 10, names the requests involved, and how to reproduce it', async () => {
    const file = journal(tooMany);
    const { code, out, err } = await check(file);
    expect({ code, err }).toEqual({ code: 10, err: '' });
    expect(out).toContain('rate: violated (over-admission)');
    expect(out).toMatch(/exchanges: .*40\n/);
    expect(out).toContain(`show it again: spillway check ${shellWord(file)}\n`);
    expect(out.trimEnd().split('\n').at(-1)).toBe('proven: rate');
  });

  it('exits with 10 also if the run was invalid, because what is proven stays proven', async () => {
    const cut = journal(tooMany);
    writeFileSync(cut, readFileSync(cut, 'utf8').replace(/.*"kind":"end".*\n/, ''));
    const { code, err } = await check(cut);
    expect(code).toBe(10);
    expect(err).toContain('the run was invalid: the history is incomplete');
  });

  it('names a path with a space as a shell takes it', async () => {
    const file = join(temporaryFolder(), 'of today.ndjson');
    renameSync(journal(tooMany), file);
    expect((await check(file)).out).toContain(`show it again: spillway check '${file}'\n`);
  });

  it('names the newest run by its folder, because another may soon be the newest', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'results/today'), { recursive: true });
    renameSync(journal(tooMany), join(folder, 'results/today/history.ndjson'));
    const { out } = await typed(['check', 'latest'], folder);
    expect(out).toContain(`show it again: spillway check ${join('results', 'today')}\n`);
  });

  it('tells what is wrong with a gate and a run to pool with it at once', async () => {
    const { code, err } = await check(journal(tooMany), '--gate', 'no_such_metric: med<1', '--pool', 'no-such-run');
    expect(code).toBe(104);
    expect(err).toContain('no_such_metric');
    expect(err).toContain('no-such-run: is not a run');
  });

  it('prints the verdicts as one line of JSON for machines', async () => {
    const { code, out, err } = await check(journal(tooMany), '--json');
    const document = JSON.parse(out) as VerdictsDocument;
    expect(code).toBe(10);
    expect(out.trimEnd()).not.toContain('\n');
    expect(document).toMatchObject({ format: 'spillway-verdicts', version: 1, accepted: [] });
    expect(document.proven.map(({ violation }) => violation)).toEqual(['rate']);
    expect(err).toContain('proven: rate');
  });

  it('fails on a finding that goes against the specification', async () => {
    const { code, out } = await check(journal(wentBack));
    expect(code).toBe(10);
    expect(out).toContain('found: turn-went-back (specification)');
    expect(out).toContain('observed, not judged: turn-without-result (observation)');
    expect(out).toContain('proven: turn-went-back');
  });

  it('reports what the profile accepts, and why, and does not fail on it', async () => {
    const accepted = [{ violation: 'turn-went-back', reason: 'replicas lag, until \u001b[31mMay' }];
    const { code, out } = await check(journal(wentBack, accepted));
    expect(code).toBe(0);
    expect(out).toContain('accepted by the profile: turn-went-back, because replicas lag, until \\u{1b}[31mMay');
    expect(out).toContain('nothing is proven against the service beyond what its profile accepts\n');
  });

  it('exits with 0 if nothing is proven', async () => {
    const { code, out } = await check(journal(tooMany.slice(0, 20)));
    expect(code).toBe(0);
    expect(out).toContain('rate: undecided');
    expect(out).toContain('nothing is proven against the service');
  });

  it('does not pass a journal that is cut off, or the run of which failed', async () => {
    const cut = journal(tooMany.slice(0, 20));
    writeFileSync(cut, readFileSync(cut, 'utf8').replace(/.*"kind":"end".*\n/, ''));
    expect(await check(cut)).toMatchObject({
      code: 11,
      err: 'spillway: the run was invalid: the history is incomplete: cut off, the end record is missing\n',
    });
    const unchecked = { kind: 'journey', arrival: 0, journey: 'ask', startedAt: us(0), endedAt: us(9) } as const;
    const whole = journal([exchange({ seq: 0 }), { ...unchecked, outcome: 'completed' }]);
    writeFileSync(whole, readFileSync(whole, 'utf8').replace('"kind":"header"', '"kind":"header","expecting":["ask"]'));
    writeFileSync(whole, readFileSync(whole, 'utf8').replace(/.*"kind":"end".*\n/, ''));
    expect((await check(whole)).err.split('\n')).toEqual([expect.stringContaining('the run was invalid: '), '']);
    const unmet = exchange({ seq: 0, expect: { checked: 1, unmet: ['status'] } });
    expect(await check(journal([unmet]))).toMatchObject({
      code: 99,
      err: 'spillway: during the run: an expectation was not met\n',
    });
  });

  it('judges by the readings given on the command line', async () => {
    const file = journal(tooMany.slice(0, 21));
    const readingsOf = async (...declared: readonly string[]) => {
      const { out } = await check(file, '--json', ...declared.flatMap((one) => ['--declared', one]));
      return (JSON.parse(out) as VerdictsDocument).limits.map((limit) => `${limit.limit} ${limit.declared}`).sort();
    };
    expect(await readingsOf()).toEqual(['concurrency unknown', 'daily unknown', 'rate unknown']);
    expect(await readingsOf('sliding-log', 'daily=utc')).toEqual([
      'concurrency unknown',
      'daily utc',
      'rate sliding-log',
    ]);
    // Only the rate has this reading. For days it is merely an alias, so their reading stays unknown.
    expect(await readingsOf('sliding-log')).toEqual(['concurrency unknown', 'daily unknown', 'rate sliding-log']);
    // "unknown" is of every limit that has no reading of its own, whichever comes first.
    for (const words of [
      ['unknown', 'sliding-log'],
      ['rate=sliding-log', 'unknown', 'sliding-log'],
    ]) {
      expect(await readingsOf(...words)).toEqual(['concurrency unknown', 'daily unknown', 'rate sliding-log']);
    }
    expect((await check(file)).code).toBe(0);
    const convicted = await check(file, '--declared', 'sliding-log');
    expect(convicted.code).toBe(10);
    // The hint must repeat the switch, because without it this service keeps its limit.
    expect(convicted.out).toMatch(/show it again: spillway check \S.* --declared sliding-log\n/);
  });

  it.each([
    ['slidinglog', '"slidinglog" names no reading; did you mean sliding-log?'],
    [
      'fixed-window-first-request',
      '"fixed-window-first-request" names a reading of rate and of daily; write rate=fixed-window-first-request or daily=',
    ],
    ['speed=utc', '"speed" is no limit; write rate, concurrency, daily'],
    ['rate=utc', '"rate=utc" names no reading of the rate limit; known are sliding-log, '],
  ])('refuses --declared %s with what to write instead', async (word, said) => {
    const { code, err } = await check(journal(tooMany), '--declared', word);
    expect(code).toBe(104);
    expect(err).toContain(`--declared: ${said}`);
  });

  it('refuses two readings of one limit', async () => {
    const words = ['sliding-log', 'utc', 'rate=token-bucket', 'daily=unknown'].flatMap((word) => ['--declared', word]);
    const { code, err } = await check(journal(tooMany), ...words);
    expect([code, err.trimEnd().split('\n')]).toEqual([
      104,
      [
        'spillway: 2 problems:',
        '--declared: gives the rate limit two readings, sliding-log and token-bucket; give each limit only one',
        '--declared: gives the daily limit two readings, utc and unknown; give each limit only one',
      ],
    ]);
  });

  it('reports that there is nothing to judge', async () => {
    const file = join(temporaryFolder(), 'notes.txt');
    writeFileSync(file, 'not a history\n');
    expect((await check(file)).code).toBe(104);
    writeFileSync(file, JSON.stringify(header()).slice(0, 100));
    expect(await check(file)).toMatchObject({ code: 104, err: expect.stringContaining('ends within its first line') });
    expect((await check('latest')).err).toContain('there is no run below results/');
  });
});

describe('--pool', () => {
  /** A run whose reads were sent `lateMs` too late. @returns its folder */
  function run(runId: string, { lateMs = 0, isWhole = true, of = {} as Partial<Header> } = {}): string {
    const folder = temporaryFolder();
    const lag = lateMs * 1_000;
    const reads = Array.from({ length: 420 }, (_, seq) => {
      const sentAt = us(seq * 1_000_000 + lag);
      return exchange({
        seq,
        intendedAt: us(sentAt - lag),
        sentAt,
        headersAt: us(sentAt + 10),
        receivedAt: us(sentAt + 20),
      });
    });
    const generator = {
      medianLagUs: us(50_000),
      p99LagUs: us(500_000),
      eventLoopUs: us(50_000),
      lateShare: 0.01,
      enforced: true,
    };
    const last = isWhole ? [end({ exchanges: 420, at: us(500_000_000) })] : [];
    const lines = [header({ runId, generator, ...of }), ...reads, ...last].map(
      (record) => `${JSON.stringify(record)}\n`,
    );
    writeFileSync(join(folder, 'history.ndjson'), lines.join(''));
    return folder;
  }
  const gate = ['--gate', 'http_req_duration: p(90)<1000'];

  it('refuses runs whose numbers are unusable, and says which and why', async () => {
    const [late, cut] = [run('late', { lateMs: 2_000 }), run('cut', { isWhole: false })];
    const refused = await check(run('a'), ...gate, '--pool', late, cut, run('good'));
    expect([refused.code, refused.out]).toEqual([104, '']);
    expect(refused.err.split('\n')).toEqual([
      'spillway: 2 problems:',
      expect.stringMatching(
        new RegExp(
          `^--pool ${late}: the run was invalid: the generator was the bottleneck: .*; pool runs whose numbers may be used, or add --allow invalid$`,
        ),
      ),
      `--pool ${cut}: the run was invalid: the history is incomplete: cut off, the end record is missing; pool runs whose numbers may be used, or add --allow incomplete`,
      '',
    ]);
  });

  it('refuses runs of another plan, or against another service, unless that is allowed', async () => {
    const at = (port: number, plan: string) =>
      run(`${port}-${plan}`, { of: { plan, profile: { baseUrl: `http://127.0.0.1:${port}` } } });
    const [ours, elsewhere, planned] = [at(1, 'p'), at(2, 'p'), at(1, 'q')];
    const refused = await check(ours, ...gate, '--pool', elsewhere, planned);
    expect([refused.code, refused.err.split('\n')]).toEqual([
      104,
      [
        'spillway: 2 problems:',
        `--pool ${elsewhere}: ran against http://127.0.0.1:2, not http://127.0.0.1:1; pool runs against one service, or add --allow target`,
        `--pool ${planned}: ran another plan: journeys, load, caps or data differ; pool runs of one plan, or add --allow plan`,
        '',
      ],
    ]);
    const allow = ['--allow', 'plan', '--allow', 'target'];
    expect((await check(ours, ...gate, ...allow, '--pool', elsewhere, planned, at(1, 'p2'))).code).toBe(0);
  });

  it('accepts them if that is allowed, and says so', async () => {
    const [late, good] = [run('late', { lateMs: 2_000 }), run('good')];
    const wrong = await check(run('a'), ...gate, '--pool', late, '--allow', 'incomplete');
    expect(wrong.code).toBe(104);
    const allowed = await check(run('a'), ...gate, '--pool', late, good, '--allow', 'invalid', '--json');
    expect(allowed.code).toBe(0);
    expect(JSON.parse(allowed.out)).toMatchObject({
      gates: { runs: ['a', 'late', 'good'], gates: [{ samples: 1_260 }] },
    });
    expect(allowed.err.split('\n').filter((line) => line.startsWith('spillway: '))).toEqual([
      expect.stringContaining(
        `spillway: pooled because of --allow: ${late}: the run was invalid: the generator was the bottle`,
      ),
    ]);
  });
});

describe('run and report', () => {
  it(
    'end with the same verdicts, in the folder and in the exit code',
    async () => {
      const cwd = temporaryFolder();
      const scenario = scenarioFile(`name: too-many
sandbox: { limits: { rate: 45 }, startTime: "2026-01-15T09:00:00Z" }
generator: { enforce: false }
journeys: { a: { onRefused: continue, steps: [createConversation: {}, burst: { of: readHistory, count: 42 }] } }
load: { model: burst, count: 1 }
`);
      const run = await typed(['run', scenario, '--out', 'here'], cwd);
      expect(run.code, run.err).toBe(10);
      expect(run.out).toContain('proven: rate');
      const file = join(cwd, 'here', 'verdicts.json');
      const written = readFileSync(file, 'utf8');
      const checked = await typed(['check', 'here', '--json'], cwd);
      expect(checked.code).toBe(10);
      const { gates, run: itself, ...verdicts } = JSON.parse(checked.out);
      expect(itself).toEqual({});
      expect(JSON.parse(written)).toEqual(verdicts);
      expect(gates).toEqual(JSON.parse(readFileSync(join(cwd, 'here', 'gates.json'), 'utf8')));
      writeFileSync(file, '');
      expect((await typed(['report', 'here'], cwd)).code).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(written);
    },
    PATIENCE_MS,
  );
});
