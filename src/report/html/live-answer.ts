import { join } from 'node:path';
import { formatDuration, listed, shellWord } from '../../base/index.ts';
import { capital, formatCount, formatRate, plural } from '../formatters.ts';
import {
  atMostText,
  beyondPlan,
  finishingText,
  type LimitUse,
  type LiveState,
  progressOf,
  useText,
} from '../terminal/live-state.ts';
import { refusalsByLimit } from '../terminal/summary-sections.ts';
import { windowText } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { badge, type Figure, figureList } from './parts.ts';

/**
 * The first section of the live page. Its elements with ids are filled during the run. It has a heading for each state of the
 * connection, of which the style sheet shows one.
 * @param folder of the run
 */
export const liveAnswer = (
  scenario: string,
  folder: string,
): Markup => html`<div id="live-on"><p class="eyebrow">${badge('open', 'Running')}</p>
<h1>${scenario} is running</h1><p class="lead" id="live-status" role="status">Waiting for the first request.</p></div>
<div id="live-lost"><p class="eyebrow">${badge('warn', 'Connection lost')}</p><h1>No connection to the run ${scenario}</h1>
<p class="lead">The run may still be in progress, or it was killed; the page shows the last state received. After the run its report is ${reportIn(folder)}; for a killed run, <code>spillway report ${shellWord(folder)}</code> creates it.</p></div>
<div id="live-other"><p class="eyebrow">${badge('warn', 'Connection lost')}</p><h1>This address now serves another run</h1>
<p class="lead">Reload the page to see it. Shown here is the last state of ${scenario}; its report is ${reportIn(folder)}.</p></div>
<div id="live-over"><p class="eyebrow">${badge('open', 'Over')}</p><h1>${scenario} is over</h1>
<p class="lead">It was not judged here. Its report is ${reportIn(folder)}.</p></div>
<noscript><p class="notice">This page needs JavaScript. The report that is written after the run does not: ${reportIn(folder)}.</p></noscript>
<div id="live-phases"></div><div id="live-figures"></div><p class="intro" id="live-age"></p>
<h2>Limits now</h2><p class="intro">Usage of the limits, counted by the time of sending on the service's clock. Whether a limit was kept is judged after the run.</p>
<div id="live-limits"></div><div id="live-warnings"></div>`;

const reportIn = (folder: string): Markup => html`<code>${join(folder, 'report.html')}</code>`;

/**
 * The contents of these elements, by id.
 * @param hasWarmUp whether the run has a warm-up, which is counted here, but not in the report
 */
export function liveFragments(state: LiveState, hasWarmUp: boolean): Record<string, Markup> {
  return {
    'live-status': html`${statusOf(state)}`,
    'live-phases': html`<ul class="progress">${state.phases.map((phase) => {
      const { share, text } = progressOf(phase, state);
      return progressItem(phase.name, share, 1, text);
    })}</ul>`,
    'live-figures': figuresNow(state, hasWarmUp),
    'live-limits': html`<ul class="progress">${[
      useItem(`Requests this ${windowText(state.windowUs)}`, state.minute),
      useItem('Turns in process', state.openTurns, atMostText),
      useItem('New messages this UTC day', state.today),
    ]}</ul>`,
    'live-warnings':
      state.warnings.length === 0
        ? html``
        : html`<ul class="claims">${state.warnings.map((warning) => html`<li>${badge('warn', 'Warning')} ${warning}</li>`)}</ul>`,
  };
}

/** Contains only what changes rarely, because screen readers announce it. */
const statusOf = ({ phase, phases, goingOn }: LiveState): string => {
  // Without the number of journeys, which changes often.
  if (phase === 'finishing') return `${capital(finishingText(goingOn ? { goingOn: {} } : {}))}.`;
  return phases.length < 2 ? 'Verdicts follow at the end.' : `Phase ${phase}. Verdicts follow after the last phase.`;
};

/** @param isUse whether it shows the usage of a limit; then a full bar is a warning */
const progressItem = (name: string, value: number, max: number, text: string, isUse = false): Markup =>
  html`<li><span>${name}</span><progress class="${isUse && value >= max ? 'full' : ''}" value="${value}" max="${max}" aria-label="${name}: ${text}"></progress><span>${text}</span></li>`;

const useItem = (name: string, use: LimitUse, text = useText): Markup =>
  progressItem(name, Math.min(use.used, use.max), use.max, text(use), true);

function timeLeft(state: LiveState): string {
  if (state.leftUs !== undefined) return `${formatDuration(state.leftUs)} left`;
  return (
    beyondPlan(state) ??
    (state.phase === 'finishing' && !state.goingOn ? 'nothing more is started' : 'until all journeys are done')
  );
}

function figuresNow(state: LiveState, hasWarmUp: boolean): Markup {
  const { elapsedUs, requests, perSecond, refused, errors, drops, service } = state;
  const total = Object.values(refused).reduce((sum, count) => sum + count, 0);
  const figures: Figure[] = [
    ['Time', formatDuration(elapsedUs), timeLeft(state)],
    [
      'Exchanges',
      formatCount(requests),
      listed(perSecond !== undefined && `${formatRate(perSecond)} now`, hasWarmUp && 'warm-up included').join('; '),
    ],
    ['Refused', formatCount(total), refusalsByLimit(refused)],
    [
      'Service time p95 now',
      service.p95Us === undefined ? '–' : formatDuration(service.p95Us),
      service.p50Us === undefined ? 'too few successes yet' : `p50 ${formatDuration(service.p50Us)}`,
    ],
    ['Errors', formatCount(errors), plural(drops, 'drop')],
  ];
  return figureList(figures, figures.length);
}
