import { formatCount, formatShare, plural } from '../formatters.ts';
import { candidateSection } from './comparison-markdown.ts';
import { headlineOf } from './headline.ts';
import { gatesSection } from './markdown.ts';
import { code, prose, table } from './markdown-text.ts';
import { gatesOfSides, headlineOfRounds, type JudgedRound, type JudgedRounds, roundName } from './rounds.ts';

/** All rounds on one page, for a pull request or a step's summary. */
export function renderRoundsMarkdown(judged: JudgedRounds): string {
  const { scenario, targets, rounds, runs, comparison } = judged;
  const { passed, because } = headlineOfRounds(judged);
  const beside = targets.candidate === undefined ? '' : `, beside ${code(targets.candidate)}`;
  const lines = [
    `## ${passed ? '✅' : '❌'} Spillway: ${because.map(prose).join('; ')}`,
    '',
    `${code(scenario)} against ${code(targets.base)}${beside}: ${plural(rounds, 'round')}, ${plural(runs.length, 'run')}.`,
    '',
    ...gatesOfSides(judged).flatMap(([side, gates]) => gatesSection(gates, side)),
    ...(comparison?.candidates.flatMap(candidateSection) ?? []),
    '### Rounds',
    '',
    ...table(
      ['', 'run', 'exchanges', '429', 'because'],
      runs.map((one) => runRow(judged, one)),
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function runRow(judged: JudgedRounds, one: JudgedRound): string[] {
  const { passed, because } = headlineOf(one.run);
  const { total, refusals } = one.run.summary;
  return [
    passed ? '✅' : '❌',
    roundName(judged, one),
    formatCount(total.count),
    `${formatCount(refusals.total)} (${formatShare(refusals.total, total.count)})`,
    because.map(prose).join('; '),
  ];
}
