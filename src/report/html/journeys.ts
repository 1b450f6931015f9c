import { inertText } from '../../base/index.ts';
import type { Summary } from '../../collect/index.ts';
import { few, formatCount } from '../formatters.ts';
import { html, type Markup } from './markup.ts';
import { table } from './parts.ts';
import { number, percentileCell } from './tables.ts';

const MOST_STOPS = 3;

/** What became of each journey of the scenario; `undefined` if there is only one. */
export function journeysSection({ journeys }: Summary): Markup | undefined {
  const named = Object.entries(journeys);
  if (named.length < 2) return undefined;
  return html`<section id="journeys" aria-labelledby="journeys-title">
<h2 id="journeys-title">Journeys</h2>
<p class="intro">A journey that a refusal or an error stopped has no duration here. Durations include pauses, retries and waits for caps.</p>
${journeyTable(named)}</section>
`;
}

const journeyTable = (named: readonly (readonly [string, Summary['journeys'][string]])[]): Markup =>
  table(
    'The journeys of the scenario: how many reached their end, and in what time',
    [
      { title: 'Journey' },
      ...['Started', 'Completed', 'Stopped', 'Cut off by the end', 'Duration p50', 'Duration p90'].map(number),
      { title: 'Stopped at', words: true },
    ],
    named.map(([name, { byOutcome, duration, stoppedAt }]) => {
      const { completed, stopped, interrupted } = byOutcome;
      const counts = [completed + stopped + interrupted, completed, stopped, interrupted];
      const most = stoppedAt.toSorted((a, b) => b.count - a.count);
      return [
        html`<span class="name">${name}</span>`,
        ...counts.map(formatCount),
        duration && percentileCell(duration, 'p50'),
        duration && percentileCell(duration, 'p90'),
        few(
          most,
          ({ operation, because, count }) => `${operation}: ${inertText(because, 64)} × ${formatCount(count)}`,
          MOST_STOPS,
        ) || undefined,
      ];
    }),
  );
