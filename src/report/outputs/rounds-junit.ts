import type { Comparison, MetricComparison } from '../../gates/index.ts';
import { renderJUnit } from './junit.ts';
import { failedBy, gateCases, passed, type Suite, suitesOf, type TestCase } from './junit-cases.ts';
import { gatesOfSides, type JudgedRounds, roundName } from './rounds.ts';

/** Renders all rounds as one `junit.xml`: first what is judged over all rounds, then each round. */
export function roundsJUnit(judged: JudgedRounds): string {
  const { scenario, runs, comparison, brokenOff } = judged;
  const suites: readonly Suite[] = [
    {
      name: 'rounds',
      cases: [{ name: 'all rounds ran', result: brokenOff === undefined ? passed : failedBy(brokenOff, 'broken off') }],
    },
    ...gatesOfSides(judged).map(([side, { gates }]) => ({ name: `${side}gates`, cases: gateCases(gates) })),
    ...(comparison ? [{ name: 'comparison', cases: comparisonCases(comparison) }] : []),
    ...runs.flatMap((one) =>
      suitesOf(one.run).map((suite) => ({ ...suite, name: `${roundName(judged, one)}: ${suite.name}` })),
    ),
  ];
  const startedAt = runs[0]?.run.summary.run.startedAt ?? '';
  return renderJUnit(suites, { scenario, startedAt });
}

const comparisonCases = ({ candidates }: Comparison): readonly TestCase[] =>
  candidates.flatMap(({ metrics, limits, findings }) => [
    ...limits.map((one) => comparedCase(`limit ${one.limit}`, one)),
    ...findings.map((one) => comparedCase(one.finding, one)),
    ...metrics.map((one) => comparedCase(one.metric, one)),
  ]);

function comparedCase(what: string, { verdict, because }: Pick<MetricComparison, 'verdict' | 'because'>): TestCase {
  const name = `${what} is not worse`;
  switch (verdict) {
    case 'worse':
      return { name, result: failedBy(because, 'worse') };
    case 'cannot tell':
      return { name, result: { state: 'skipped', message: because, type: verdict, lines: [because] } };
    case 'better':
    case 'same':
      return { name, result: passed };
  }
}
