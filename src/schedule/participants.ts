import type { Credentials } from '../api/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { Participants } from './world.ts';

type Basic = Extract<Credentials, { kind: 'basic' }>;

/**
 * The users of a scenario. A number creates `spillway-user-1 …`, distributed over the applications in turn; listed users belong
 * to the application that they name, or to the first. Tokens of both are requested with the scenario's `tokens`.
 * @param credentials by application label, in the order of the scenario
 */
export function participantsOf(
  scenario: Pick<Scenario, 'users' | 'tokens'>,
  credentials: ReadonlyMap<string, Basic>,
): Participants {
  const labels = [...credentials.keys()];
  const { locale, timezone } = scenario.tokens;
  const ofAll = { ...(locale !== undefined && { locale }), ...(timezone !== undefined && { timezone }) };
  const applicationAt = (index: number) => labels[index % labels.length] ?? 'a1';
  if (typeof scenario.users === 'number') {
    const users = Array.from({ length: scenario.users }, (_, index) => ({
      label: `u${index + 1}`,
      externalId: `spillway-user-${index + 1}`,
      application: applicationAt(index),
      ...ofAll,
    }));
    return { users, credentials };
  }
  const users = scenario.users.map((user, index) => ({
    label: `u${index + 1}`,
    externalId: user.id,
    application: user.application ?? applicationAt(0),
    ...ofAll,
    ...(user.locale === undefined ? {} : { locale: user.locale }),
    ...(user.timezone === undefined ? {} : { timezone: user.timezone }),
  }));
  return { users, credentials };
}
