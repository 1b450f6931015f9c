import { formatCount, formatShare, plural } from '../formatters.ts';
import { areAll429 } from '../refusal-titles.ts';
import { candidateSection } from './comparison-markdown.ts';
import { headlineOf, signOf } from './headline.ts';
import { gatesSection } from './markdown.ts';
import { code, prose, table } from './markdown-text.ts';
import { gatesOfSides, headlineOfRounds, type JudgedRound, type JudgedRounds, roundName } from './rounds.ts';

/** Renders all rounds as one page of Markdown. */
export function renderRoundsMarkdown(judged: JudgedRounds): string {
  const { scenario, targets, rounds, runs, comparison } = judged;
  const headline = headlineOfRounds(judged);
  const beside = targets.candidate === undefined ? '' : `, compared with ${code(targets.candidate)}`;
  const lines = [
    `## ${signOf(headline)} Spillway: ${headline.because.map(prose).join('; ')}`,
    '',
    `${code(scenario)} against ${code(targets.base)}${beside}: ${plural(rounds, 'round')}, ${plural(runs.length, 'run')}.`,
    '',
    ...gatesOfSides(judged).flatMap(([side, gates]) => gatesSection(gates, side)),
    ...(comparison?.candidates.flatMap(candidateSection) ?? []),
    '### Rounds',
    '',
    ...table(
      ['', 'run', 'exchanges', runs.every(({ run }) => areAll429(run.summary)) ? '429' : 'refused', 'because'],
      runs.map((one) => runRow(judged, one)),
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function runRow(judged: JudgedRounds, one: JudgedRound): string[] {
  const headline = headlineOf(one.run);
  const { total, refusals } = one.run.summary;
  return [
    signOf(headline),
    roundName(judged, one),
    formatCount(total.count),
    `${formatCount(refusals.total)} (${formatShare(refusals.total, total.count)})`,
    headline.because.map(prose).join('; '),
  ];
}
