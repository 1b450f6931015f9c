import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DefectId, defectIds, rateAlgorithmNames } from '../../api/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { isWhole } from '../../testing/share.ts';
import { caseOf, playCase } from './case.ts';
import { type Charge, chargesIn, convicting, declaredOf } from './convict.ts';
import { cellOf, falseChargesOf, honestServices, loadShipped, nameOf, shippedScenarios } from './matrix.ts';
import { survivors, unproven } from './survivors.ts';
import { csvOf, isProof, markdownOf, rowsOf, scenarioName } from './write.ts';

const PATIENCE_MS = 240_000;

/** The matrix as it is committed: made anew by npm run trials -- --kill-matrix. */
const lines = readFileSync(join(import.meta.dirname, '../../../results/trials/kill-matrix.csv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(','));
const [header = [], ...rows] = lines;
const columns = header.slice(4);
interface Committed {
  readonly defect: DefectId;
  readonly manner: string;
  readonly by: string;
  readonly cell: string;
}
const committed: readonly Committed[] = rows.map(([defect = '', manner = '', by = '', , ...cells]) => ({
  defect: defect as DefectId,
  manner,
  by,
  cell: cells[columns.indexOf(by)] ?? '',
}));

const loaded = new Map<string, Promise<LoadedScenario>>();
const scenario = (name: string): Promise<LoadedScenario> => {
  const file = shippedScenarios().find((one) => scenarioName(one) === name) ?? '';
  const known = loaded.get(name) ?? loadShipped(file);
  loaded.set(name, known);
  return known;
};

describe('the committed kill matrix', () => {
  it('has every defect and every shipped scenario: run npm run trials -- --kill-matrix after adding one', () => {
    expect(committed.map(({ defect }) => defect)).toEqual([...defectIds]);
    expect(columns).toEqual(shippedScenarios().map(scenarioName));
  });

  it('leaves no survivor without a reason, and no reason without its survivor', () => {
    const of = (isOne: (one: Committed) => boolean) =>
      committed
        .filter(isOne)
        .map(({ defect }) => defect)
        .sort();
    expect(of(({ manner }) => manner === '')).toEqual(Object.keys(survivors).sort());
    expect(of(({ manner }) => manner === 'told' || manner === 'expected')).toEqual(Object.keys(unproven).sort());
    // 55 of 72 are proven; a change that loses one is noticed.
    expect(of(({ manner }) => ['verdict', 'finding', 'declared'].includes(manner)).length).toBeGreaterThanOrEqual(55);
  });

  it('is what the README says of it', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
    const said =
      /Of (\d+) known defects\s+(\d+) are proven by a shipped scenario, (\d+) of them whatever the limit/.exec(readme);
    const count = (...manners: readonly string[]) => committed.filter(({ manner }) => manners.includes(manner)).length;
    expect(said?.slice(1).map(Number)).toEqual([
      committed.length,
      count('verdict', 'finding', 'declared'),
      count('verdict'),
    ]);
  });

  const twins = new Map<string, Map<string, Promise<readonly Charge[]>>>();
  // Else one in four, as each plays a service twice.
  const played = committed.filter(({ manner }) => manner !== '').filter((_, index) => isWhole || index % 4 === 0);
  it.each(played)(
    '$defect is shown by $by: $cell',
    async ({ defect, by, cell }) => {
      const known = twins.get(by) ?? new Map<string, Promise<readonly Charge[]>>();
      twins.set(by, known);
      const { charge } = await cellOf(await scenario(by), by, defect, known);
      expect(charge && `${charge.manner}: ${charge.what}`).toBe(cell);
    },
    PATIENCE_MS,
  );

  it.each(Object.keys(survivors) as DefectId[])('%s is shown by none of the three limit scenarios', async (defect) => {
    for (const name of ['rate-limit-20-per-minute', 'two-simultaneous-processings', 'daily-quota-50'])
      expect((await cellOf(await scenario(name), name, defect)).charge).toBeUndefined();
  });
});

describe('an honest sandbox of every algorithm and every day', () => {
  const limits = ['rate-limit-20-per-minute', 'daily-quota-50'];
  const others = ['two-simultaneous-processings', 'steady-overload'];

  it.each([...limits, ...(isWhole ? others : [])])(
    'is not accused under %s',
    async (name) => {
      for (const service of honestServices)
        expect(await falseChargesOf(await scenario(name), service), nameOf(service)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it('takes in every algorithm that there is', () => {
    expect(honestServices.flatMap(({ algorithm }) => algorithm ?? [])).toEqual([...rateAlgorithmNames]);
  });
});

describe('a charge', () => {
  const charge = (manner: Charge['manner'], what: string): Charge => ({ manner, what, claim: '' });

  it('counts where the twin does not meet it, the strongest first', () => {
    const own = [
      charge('expected', 'readHistory'),
      charge('verdict', 'rate'),
      charge('told', 'x'),
      charge('told', 'x'),
    ];
    expect(convicting(own, [charge('told', 'y')]).map(({ manner }) => manner)).toEqual(['verdict', 'told', 'expected']);
    expect(convicting(own, own)).toEqual([]);
  });

  it('is held under the readings that the service declares: windows that the clock aligns, where it does', async () => {
    const loaded = await scenario('rate-limit-20-per-minute');
    const about = caseOf(loaded, { defect: 'O16' });
    if ('lacks' in about) throw new Error(about.lacks);
    expect(declaredOf(about)).toEqual({ rate: 'sliding-counter', concurrency: 'accepted-to-finished', daily: 'utc' });
    const honest = caseOf(loaded, {});
    if ('lacks' in honest) throw new Error(honest.lacks);
    expect(declaredOf(honest).rate).toBe('fixed-window-aligned');
    expect(caseOf(loaded, { defect: 'W2' })).toEqual({ lacks: 'W2 needs a rate limit whose max is 1' });
  });

  it('is missing where nothing is wrong, also of an expectation', async () => {
    const about = caseOf(await scenario('smoke'), {});
    if ('lacks' in about) throw new Error(about.lacks);
    expect(chargesIn(await playCase(about, true), about)).toEqual([]);
  });
});

describe('the written matrix', () => {
  const matrix = {
    scenarios: ['a.yaml', 'b.ts'],
    cells: defectIds.flatMap((defect) =>
      ['a.yaml', 'b.ts'].map((file) => ({
        defect,
        scenario: file,
        ...(defect === 'O1' &&
          file === 'b.ts' && { charge: { manner: 'told', what: 'x|y', claim: '' } as const, requests: 7 }),
        ...(defect === 'O2' && { lacks: 'something' }),
      })),
    ),
    honest: { played: 3, accused: [] },
  };

  it('has a line for each defect, in CSV and for people', () => {
    expect(csvOf(matrix).split('\n').slice(0, 4)).toEqual([
      'defect,convicted,by,requests,a,b',
      'O1,told,b,7,,told: x|y',
      'O2,,,,not applicable,not applicable',
      'O3,,,,,',
    ]);
    const text = markdownOf(matrix);
    expect(text).toContain('| O1 |  | t |');
    expect(text).toContain('| O2 | · | · |');
    expect(text).toContain(`- not shown by any scenario: ${defectIds.length - 1}`);
    expect(text).toContain('3 played, 0 accused');
  });

  it('takes the strongest charge of all scenarios, and of equal ones that of the fewest requests', () => {
    const cells = [
      { defect: 'O1', scenario: 'a.yaml', charge: { manner: 'declared', what: 'rate', claim: '' }, requests: 1 },
      { defect: 'O1', scenario: 'b.ts', charge: { manner: 'verdict', what: 'rate', claim: '' }, requests: 9 },
      { defect: 'O1', scenario: 'c.ts', charge: { manner: 'verdict', what: 'rate', claim: '' }, requests: 8 },
    ] as const;
    expect(rowsOf({ cells })[0]?.best?.scenario).toBe('c.ts');
    expect([isProof('declared'), isProof('told')]).toEqual([true, false]);
  });
});
