import type { Certificate, ExchangeRef } from '../certificates/certificate.ts';

/** A certificate with one member changed. */
export interface Altered {
  readonly certificate: Certificate;
  /** Path of the changed member: `arcs.1.fromUs`. */
  readonly path: string;
  readonly kind: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Other names that a member may be changed to. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  limit: ['rate', 'concurrency', 'daily'],
  rule: [
    ...['universal-2N', 'universal-density', 'sliding-log-n-plus-1', 'sliding-log-density', 'sliding-log-attempts'],
    ...['token-bucket-density', 'interval-refill-density', 'sliding-counter-density', 'fixed-window-anchored-since'],
    ...[
      'fixed-window-anchored-chain',
      'fixed-window-anchored-fit',
      'fixed-window-penalty-block',
      'fixed-window-arcs',
      'fixed-window-anchored-arcs',
      'sliding-counter-arcs',
    ],
    ...['universal-refusal', 'wrongful-refusal-last-window', 'wrongful-refusal-counting-refused'],
    ...['wrongful-refusal-token-bucket', 'wrongful-refusal-interval-refill', 'wrongful-refusal-sliding-counter'],
    ...['wrongful-refusal-penalty', 'wrongful-refusal-anchored', 'wrongful-refusal-anchored-penalty'],
    ...['concurrency-cores', 'wrongful-refusal-concurrency', 'daily-distinct-messages', 'wrongful-refusal-daily'],
  ],
  reading: [
    ...['every', 'sliding-log', 'sliding-log-counting-refused', 'token-bucket', 'interval-refill', 'sliding-counter'],
    ...['fixed-window', 'fixed-window-aligned', 'fixed-window-anchored', 'fixed-window-penalty'],
    ...['accepted-to-finished', 'processing-only', 'utc', 'token-timezone', 'first-use', 'rolling'],
  ],
  because: ['over-admission', 'wrongful-refusal', 'inconsistent'],
  counts: ['all', 'bearer', 'sendMessage', 'bearer, replays free', 'turns', 'new messages', ''],
  says: ['boundary-within', 'no-boundary-within', 'overfull-with-boundary-within', 'aligned'],
};

/** @param refs references of all exchanges of the journal */
export function* alterationsOf(certificate: Certificate, refs: readonly ExchangeRef[]): Generator<Altered> {
  yield* within(certificate, '', (other) => other as Certificate, refs);
}

type Put = (value: unknown) => Certificate;

function* within(whole: object, path: string, put: Put, refs: readonly ExchangeRef[]): Generator<Altered> {
  for (const [name, before] of Object.entries(whole)) {
    const at = path === '' ? name : `${path}.${name}`;
    const set = (after: unknown): Certificate => put({ ...whole, [name]: after });
    for (const [kind, after] of othersOf(name, before, refs))
      if (after !== before) yield { certificate: set(after), path: at, kind, before, after };
    const { [name]: _, ...rest } = whole as Record<string, unknown>;
    yield { certificate: put(rest), path: at, kind: 'dropped', before, after: undefined };
    if (name === 'scope') yield* within(before, at, set, refs);
    if (name !== 'arcs') continue;
    const arcs = before as object[];
    for (const [i, arc] of arcs.entries())
      yield* within(arc, `${at}.${i}`, (other) => set(arcs.with(i, other as object)), refs);
  }
  yield { certificate: put({ ...whole, surplus: 1 }), path, kind: 'one more member', before: undefined, after: 1 };
}

function* othersOf(
  name: string,
  before: unknown,
  refs: readonly ExchangeRef[],
): Generator<[kind: string, after: unknown]> {
  if (Array.isArray(before)) yield* otherLists(before, name === 'arcs' ? [] : refs);
  else if (name === 'refusal') {
    for (const ref of refs) if (ref !== before) yield ['another refusal', ref];
  } else if (typeof before === 'number') {
    for (const by of [-1, 1]) yield [`${by > 0 ? 'one more' : 'one less'}`, before + by];
    for (const times of [10, 0.1, -1]) yield [`times ${times}`, before * times];
    for (const after of [0, Number.POSITIVE_INFINITY, Number.NaN]) yield ['another number', after];
  } else if (typeof before === 'string') {
    const names = otherNames[name] ?? ['', `${before}.`, before.replace(/\d+/, (digits) => `${Number(digits) + 1}`)];
    for (const after of names) yield ['another text', after];
  } else yield ['another text', 'x'];
}

function* otherLists(
  list: readonly unknown[],
  refs: readonly ExchangeRef[],
): Generator<[kind: string, after: unknown]> {
  if (list.length > 0) yield ['empty', []];
  for (const i of list.keys()) yield ['one left out', list.toSpliced(i, 1)];
  if (list.length > 0) yield ['one twice', [...list, list[0]]];
  if (list.length > 1) yield ['one for another', [...list.slice(0, -1), list[0]]];
  if (list.length > 1 && refs.length > 0) yield ['turned round', list.toReversed()];
  for (const ref of [...refs.filter((one) => !list.includes(one)), 987_654]) {
    if (typeof list[0] === 'object') break;
    yield ['one added', [...list, ref]];
    if (list.length > 0) yield ['another exchange', list.with(list.length >> 1, ref)];
    if (list.length > 0) yield ['another exchange', list.with(0, ref)];
  }
}
