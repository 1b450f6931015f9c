import { isRecord } from '../../base/index.ts';
import { type Fault, itemsOf, suggestion, valueAt } from './faults.ts';
import { loadModelsIn } from './load-places.ts';

/** Checks that the users to whom load models are restricted exist, and that each name means one of them. Reads the document as written. */
export function onlyUsersFaults(scenario: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { users = 1 } = scenario;
  const labels = labelsById(itemsOf(users));
  const count = typeof users === 'number' ? users : itemsOf(users).length;
  return loadModelsIn(scenario).flatMap(({ path, value }) =>
    itemsOf(isRecord(value) ? value.onlyUsers : undefined).flatMap((name, index): readonly Fault[] => {
      // An empty name, or a variable that is not set, is reported already.
      if (typeof name !== 'string' || name === '') return [];
      const fault = faultOf(name, labels, count);
      return fault === undefined ? [] : [{ path: [...path, 'onlyUsers', index], ...fault }];
    }),
  );
}

/** The labels of the users of each id. */
function labelsById(users: readonly unknown[]): ReadonlyMap<string, readonly string[]> {
  const labels = new Map<string, string[]>();
  for (const [index, user] of users.entries()) {
    const id = valueAt(user, ['id']);
    if (typeof id !== 'string' || id === '') continue;
    const own = labels.get(id) ?? [];
    own.push(`u${index + 1}`);
    labels.set(id, own);
  }
  return labels;
}

function faultOf(
  name: string,
  labelsOf: ReadonlyMap<string, readonly string[]>,
  count: number,
): Pick<Fault, 'message' | 'hint'> | undefined {
  const labels = labelsOf.get(name) ?? [];
  if (labels.length > 1) return { message: `several users are called "${name}"`, hint: `write ${labels.join(' or ')}` };
  const label = /^u([1-9]\d*)$/.exec(name);
  if (labels.length === 1 || (label && Number(label[1]) <= count)) return undefined;
  const hint =
    labelsOf.size > 0 ? suggestion(name, [...labelsOf.keys()]) : `write u1${count === 1 ? '' : ` to u${count}`}`;
  return { message: `there is no user "${name}"`, hint };
}
