import type { Scenario } from './schema/schema.ts';

/**
 * The indices of the users that a load model names: by the id of a listed user, or by its label, of which `u1` is the first. The
 * names were checked when the scenario was loaded.
 */
export function namedUsers(users: Scenario['users'], names: readonly string[]): readonly number[] {
  const byId = new Map(typeof users === 'number' ? [] : users.map(({ id }, index) => [id, index]));
  return names.map((name) => byId.get(name) ?? Number(name.slice(1)) - 1);
}
