import { limitNames } from '../../api/index.ts';
import { listed } from '../../base/index.ts';
import type { LimitVerdict } from '../../check/index.ts';
import type { Summary } from '../../collect/index.ts';
import type { GateResult } from '../../gates/index.ts';
import { capital, nothingProven, plural } from '../formatters.ts';
import { incompleteText, isOverBudget } from '../incomplete.ts';
import { type Judged, showsAnything } from '../judged.ts';
import { limitWords } from './limits.ts';
import type { Mood } from './parts.ts';

/** The result of a run in one sentence, and its reason in another. */
export interface Headline {
  readonly title: string;
  readonly lead: string;
  readonly mood: Mood;
}

/**
 * Chooses the headline by priority: a proven violation, an invalid run, failed gates or expectations, then the limits that were
 * kept.
 */
export function headlineOf(summary: Summary, judged: Judged, gates: readonly GateResult[]): Headline {
  const { document } = judged;
  const invalid = judged.invalidBecause(summary);
  const nothing = nothingProven(document.accepted).replace('nothing', 'Nothing');
  const [first, ...more] = document.proven;
  if (first) {
    const others = more.length > 0 ? ` ${plural(more.length, 'more violation')} proven below.` : '';
    return { mood: 'bad', title: brokenTitle(first.violation), lead: `${capital(first.claim)}.${others}` };
  }
  if (invalid !== undefined)
    return {
      mood: 'warn',
      title: 'This run is invalid',
      lead: `Do not use its numbers: ${invalid}. ${nothing}.`,
    };
  const failed = gates.filter(({ failsRun }) => failsRun).length + summary.expectations.unmet;
  if (failed > 0 || summary.expectations.neverChecked || isOverBudget(summary.run))
    return {
      mood: 'bad',
      title: failedTitle(gates, summary),
      lead: `${nothing}. ${keptText(document.limits)}`,
    };
  if (document.limits.every(({ verdict }) => verdict === 'consistent'))
    return {
      mood: 'good',
      title: 'Every limit was reached and held',
      lead: `Everything that the service admitted or refused agrees with its limits.${acceptedText(judged)}`,
    };
  return {
    mood: showsAnything(summary, document, gates) ? 'good' : 'open',
    title: nothing,
    lead: `${keptText(document.limits)}${acceptedText(judged)}`,
  };
}

function brokenTitle(violation: string): string {
  const limit = limitNames.find((name) => name === violation);
  if (limit) return `The service broke its ${limitWords[limit].short}`;
  return violation === 'wrongful-refusal'
    ? 'The service refused requests that it had to admit'
    : `The service misbehaved: ${violation.replaceAll('-', ' ')}`;
}

function failedTitle(gates: readonly GateResult[], { expectations, run }: Summary): string {
  const failed = gates.filter(({ state }) => state === 'fail').length;
  const open = gates.filter(({ state, failsRun }) => state === 'undetermined' && failsRun).length;
  const parts = listed(
    isOverBudget(run) && `Ended: ${incompleteText(run)}`,
    failed > 0 && `${plural(failed, 'gate')} failed`,
    open > 0 && `${plural(open, 'gate')} could not be decided`,
    expectations.neverChecked && 'No expectation was checked',
    expectations.unmet > 0 && `${plural(expectations.unmet, 'expectation')} not met`,
  );
  return parts.join(', ');
}

function keptText(limits: readonly LimitVerdict[]): string {
  const named = (verdict: LimitVerdict['verdict']) =>
    limits.filter((limit) => limit.verdict === verdict).map(({ limit }) => limitWords[limit].short);
  const [held, open] = [named('consistent'), named('undecided')];
  return listed(
    held.length > 0 && `Reached and held: ${held.join(', ')}.`,
    open.length > 0 && `Undecided: ${open.join(', ')}.`,
  ).join(' ');
}

function acceptedText({ document: { accepted } }: Judged): string {
  return accepted.length === 0 ? '' : ` ${plural(accepted.length, 'proven violation')} accepted by the profile.`;
}
