import { isRecord } from '../../base/index.ts';

/** A copy whose lists and maps, at any depth, have at most so many members. */
export function shortened(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most).map((item) => shortened(item, most));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).slice(0, most);
  return Object.fromEntries(members.map(([name, member]) => [name, shortened(member, most)]));
}
