import type { Ids } from '../../sandbox/index.ts';

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/**
 * Identifiers that count: UUIDs of version 8 (RFC 9562 section 5.8), different within a world, the same every time. Hashing a
 * seed for each, as a simulation for people does, would take a tenth of a trial's time.
 * @param kind keeps the service's apart from the clients'
 */
export function countingIds(seed: number, kind: number): Ids {
  let drawn = 0;
  const head = `${hex(seed % 2 ** 32, 8)}-${hex(kind, 4)}-8000-8000-`;
  return { uuid: () => `${head}${hex(drawn++, 12)}`, token: () => `token-${seed}-${drawn++}` };
}
