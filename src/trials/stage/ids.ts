import type { Ids } from '../../sandbox/index.ts';

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/**
 * Sequential UUIDs of version 8 (RFC 9562 section 5.8), unique within a world and reproducible. Hashing a seed for each would take a
 * tenth of a trial's time.
 * @param kind distinguishes identifiers of the service from those of clients
 */
export function countingIds(seed: number, kind: number): Ids {
  let drawn = 0;
  const head = `${hex(seed % 2 ** 32, 8)}-${hex(kind, 4)}-8000-8000-`;
  return { uuid: () => `${head}${hex(drawn++, 12)}`, token: () => `token-${seed}-${drawn++}` };
}
