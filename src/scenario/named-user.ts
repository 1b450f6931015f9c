import type { Scenario } from './schema.ts';

/**
 * The index of the user that a load model names: by the id of a listed user, or by its label, of which `u1` is the first.
 * Undefined if there is none.
 */
export function namedUser(users: Scenario['users'], name: string): number | undefined {
  const ids = typeof users === 'number' ? [] : users.map(({ id }) => id);
  const byId = ids.indexOf(name);
  if (byId >= 0) return byId;
  const count = typeof users === 'number' ? users : users.length;
  const label = /^u([1-9]\d{0,6})$/.exec(name);
  return label && Number(label[1]) <= count ? Number(label[1]) - 1 : undefined;
}
