import { isTimezone } from '../base/index.ts';
import type { Scenario } from './schema.ts';
import type { Step } from './steps.ts';
import { compileTemplate } from './template.ts';

/**
 * The unique time zones (IANA names) of a scenario's token requests, in the scenario's order.
 * @returns empty if no request names one, so that all have the service's default; undefined if they are not known before the run:
 *   some requests name none, or a text that depends on the journey or is not a zone
 */
export function askedTimezones({ users, tokens, journeys }: Scenario): readonly string[] | undefined {
  const ofUsers =
    typeof users === 'number' ? [tokens.timezone] : users.map(({ timezone = tokens.timezone }) => timezone);
  const ofSteps = Object.values(journeys).flatMap(({ steps }) => steps.flatMap(timezonesOf));
  const asked = [...new Set([...ofUsers, ...ofSteps])];
  if (asked.length === 1 && asked[0] === undefined) return [];
  const names = asked.filter((zone) => zone !== undefined && isZone(zone)) as string[];
  return names.length === asked.length ? names : undefined;
}

/** The zones as written, including templates. */
function timezonesOf(step: Step): readonly string[] {
  if ('repeat' in step) return step.repeat.steps.flatMap(timezonesOf);
  const timezone = 'issueToken' in step ? step.issueToken.timezone : undefined;
  return timezone === undefined ? [] : [timezone];
}

function isZone(name: string): boolean {
  const compiled = compileTemplate(name);
  return compiled.ok && compiled.parts.every(({ kind }) => kind === 'text') && isTimezone(name);
}
