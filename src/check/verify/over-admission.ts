import type { OverAdmission, OverAdmissionRule } from '../certificate.ts';
import type { Decided } from './raw.ts';

/** What a rule of over-admission is told: how many, within what, under which numbers. */
export interface Crowded {
  readonly count: number;
  readonly spanUs: number;
  readonly max: number;
  readonly windowUs: number;
  /** The window as short as the service may make it. */
  readonly shortUs: number;
  /** By how much a span may look longer to the service. */
  readonly slackUs: number;
}

/** The rules that are about how many were admitted within a span; each says whether so many are too many. */
const tooMany: Readonly<Partial<Record<OverAdmissionRule, (crowd: Crowded) => boolean>>> = {
  'universal-2N': ({ count, spanUs, max, shortUs }) => spanUs < shortUs && count > 2 * max,
  'universal-density': ({ count, spanUs, max, shortUs }) => count > max * (Math.floor(spanUs / shortUs) + 2),
  'sliding-log-n-plus-1': ({ count, spanUs, max, shortUs }) => spanUs < shortUs && count > max,
  'sliding-log-density': ({ count, spanUs, max, shortUs }) => count > max * (Math.floor(spanUs / shortUs) + 1),
  'token-bucket-density': ({ count, spanUs, max, shortUs, slackUs }) =>
    count > max + Math.floor(((spanUs + slackUs) * max) / shortUs),
  'interval-refill-density': ({ count, spanUs, max, shortUs, slackUs }) =>
    count > max + Math.floor(((spanUs + slackUs) * max) / shortUs) + 1,
  'sliding-counter-density': ({ count, spanUs, max, shortUs, slackUs }) =>
    spanUs < shortUs && count > max + Math.floor(((spanUs + slackUs) * max) / shortUs) + 2,
};

/** Whether a rate or daily certificate of over-admission holds of the decisions of the exchanges that it names. */
export function holdsOverAdmission(
  certificate: OverAdmission,
  decided: readonly Decided[],
  shortUs: number,
  slackUs: number,
): boolean {
  const rule = tooMany[certificate.rule];
  if (!rule || shortUs <= 0 || decided.length !== certificate.observed) return false;
  const spanUs = Math.max(...decided.map(({ to }) => to)) - Math.min(...decided.map(({ from }) => from));
  const { max, windowUs } = certificate;
  return Number.isFinite(spanUs) && rule({ count: decided.length, spanUs, max, windowUs, shortUs, slackUs });
}
