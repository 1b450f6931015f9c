import type { Finding } from '../finding.ts';
import type { Found, Look } from './kind.ts';
import { type FindingName, findingKinds } from './registry.ts';

/** Most findings of one kind and basis that are listed; the rest is counted. */
const MOST_LISTED = 20;

type Candidate = Found & { readonly claim: () => string };

/** Every finding, by kind in the registry's order, then by time. Independent of the order of the records. */
export function listFindings(look: Look): Finding[] {
  return (Object.keys(findingKinds) as FindingName[]).flatMap((kind) => findingsOf(kind, look));
}

function findingsOf(kind: FindingName, look: Look): Finding[] {
  const shelves = new Map<Finding['basis'], Shelf>();
  for (const found of findingKinds[kind].find(look)) {
    const shelf = shelves.get(found.basis) ?? new Shelf();
    shelves.set(found.basis, shelf);
    shelf.add(found);
  }
  return (['specification', 'profile', 'observation'] as const).flatMap((basis) => {
    const shelf = shelves.get(basis);
    return (shelf?.first ?? []).map(({ claim, exchanges, data, certificates }, _, { length }) => ({
      kind,
      basis,
      claim: claim(),
      exchanges,
      data,
      ...(certificates && { certificates }),
      ...(shelf && shelf.total > length && { total: shelf.total }),
    }));
  });
}

/** The first few in order, and the total number: a hostile service must not fill the memory. */
class Shelf {
  readonly first: Candidate[] = [];
  total = 0;

  add(found: Candidate): void {
    this.total += 1;
    let at = this.first.length;
    while (at > 0 && order(found, this.first[at - 1] as Candidate) < 0) at -= 1;
    if (at >= MOST_LISTED) return;
    this.first.splice(at, 0, found);
    if (this.first.length > MOST_LISTED) this.first.pop();
  }
}

function order(a: Candidate, b: Candidate): number {
  return a.at - b.at || compare(keyOf(a), keyOf(b));
}

const keyOf = ({ exchanges, data }: Candidate) => JSON.stringify([exchanges, data]);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
