import { type Fault, isRecord, itemsOf, suggestion, valueAt } from './faults.ts';
import { loadModelsIn } from './load-places.ts';

/** Checks that the users to whom load models are restricted exist, and that each name means one of them. Reads the document as written. */
export function onlyUsersFaults(scenario: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { users = 1 } = scenario;
  const ids = itemsOf(users).map((user) => String(valueAt(user, ['id'])));
  const count = typeof users === 'number' ? users : ids.length;
  return loadModelsIn(scenario).flatMap(({ path, value }) =>
    itemsOf(isRecord(value) ? value.onlyUsers : undefined).flatMap((name, index): readonly Fault[] => {
      if (typeof name !== 'string') return [];
      const fault = faultOf(name, ids, count);
      return fault === undefined ? [] : [{ path: [...path, 'onlyUsers', index], ...fault }];
    }),
  );
}

function faultOf(name: string, ids: readonly string[], count: number): Pick<Fault, 'message' | 'hint'> | undefined {
  const labels = ids.flatMap((id, index) => (id === name ? [`u${index + 1}`] : []));
  if (labels.length > 1) return { message: `several users are called "${name}"`, hint: `write ${labels.join(' or ')}` };
  const label = /^u([1-9]\d*)$/.exec(name);
  if (labels.length === 1 || (label && Number(label[1]) <= count)) return undefined;
  const hint = ids.length > 0 ? suggestion(name, ids) : `write u1${count === 1 ? '' : ` to u${count}`}`;
  return { message: `there is no user "${name}"`, hint };
}
