import { inertText, isTimezone, nearest } from '../base/index.ts';
import type { Scenario } from './schema/schema.ts';
import type { Step } from './schema/steps.ts';
import { compileTemplate } from './template.ts';

/**
 * The unique time zones (IANA names) of a scenario's token requests, in the scenario's order.
 * @returns empty if no request names one, so that all have the service's default; undefined if they are not known before the run:
 *   some requests name none, or a text that depends on the journey or is not a zone
 */
export function askedTimezones({ users, tokens, journeys }: Scenario): readonly string[] | undefined {
  const ofUsers =
    typeof users === 'number' ? [tokens.timezone] : users.map(({ timezone = tokens.timezone }) => timezone);
  const ofSteps = Object.values(journeys).flatMap(({ steps }) => steps.flatMap((step) => timezonesOf(step)));
  const asked = [...new Set([...ofUsers, ...ofSteps])];
  if (asked.length === 1 && asked[0] === undefined) return [];
  const names = asked.filter((zone) => zone !== undefined && isZone(zone)) as string[];
  return names.length === asked.length ? names : undefined;
}

/**
 * A note for each time zone of token requests that may be mistyped. No error, because a service may know zones that Node does not. A
 * step that expects an answer may send one on purpose.
 */
export function timezoneNotes({ users, tokens, journeys }: Scenario): readonly string[] {
  const ofUsers = typeof users === 'number' ? [] : users.map(({ timezone }) => timezone);
  const ofSteps = Object.values(journeys).flatMap(({ steps }) =>
    steps.flatMap((step) => timezonesOf(step, ({ expect }) => expect === undefined)),
  );
  const written = new Set([tokens.timezone, ...ofUsers, ...ofSteps].filter((zone) => zone !== undefined));
  return [...written].flatMap((zone) => {
    if (!isText(zone) || isTimezone(zone)) return [];
    const near = nearest(zone, ['UTC', ...Intl.supportedValuesOf('timeZone')]);
    return [
      `the time zone "${inertText(zone)}" is unknown here and sent as it is${near ? `; did you mean ${near}?` : ''}`,
    ];
  });
}

type IssueToken = Extract<Step, { readonly issueToken: unknown }>;

/** The zones as written, including templates. @param isMeant which steps are looked at */
function timezonesOf(step: Step, isMeant: (step: IssueToken) => boolean = () => true): readonly string[] {
  if ('repeat' in step) return step.repeat.steps.flatMap((inner) => timezonesOf(inner, isMeant));
  const timezone = 'issueToken' in step && isMeant(step) ? step.issueToken.timezone : undefined;
  return timezone === undefined ? [] : [timezone];
}

function isText(name: string): boolean {
  const compiled = compileTemplate(name);
  return compiled.ok && compiled.parts.every(({ kind }) => kind === 'text');
}

const isZone = (name: string): boolean => isText(name) && isTimezone(name);
