import { canonicalUuid, instantOf } from '../../../api/index.ts';
import type { Exchange, ProfileWords } from '../../../history/index.ts';
import { bySending, type Reference } from '../reference.ts';

/** One page of a conversation's history, as an answer showed it. */
export interface Page extends Reference {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly arrival: number;
  readonly step: number;
  readonly limit: number;
  readonly offset: number;
  /** Numbers of the items (`ConversationPages.items`), in the order of the page. */
  readonly items: readonly number[];
  /** Of the messages that are older than one before them, the one by most; absent if none is. */
  readonly older: Older | undefined;
}

export interface Older {
  /** In the page, from 0. */
  readonly position: number;
  readonly byUs: number;
}

export interface Item {
  /** message_id */
  readonly id: string;
  readonly role: string;
  readonly digest: string | undefined;
  /** Service µs since 1970; −∞ if unreadable. */
  readonly createdUs: number;
}

/** Everything that was read of one conversation. */
export interface ConversationPages {
  /** Its identifier: users choose these, and two may choose the same. */
  readonly id: string;
  readonly items: readonly Item[];
  /** By number of an item, the number of the first item with the same id; they differ if it was shown with another content. */
  readonly base: readonly number[];
  /** Number of the first item with this id; `undefined` when it was never shown. */
  readonly find: (id: string) => number | undefined;
  /** In order of sending. */
  readonly pages: readonly Page[];
}

interface Growing {
  readonly id: string;
  /** By id; and those that were later shown with another role or content. */
  readonly numbers: Map<string, number>;
  readonly changed: Map<string, number>;
  readonly items: Item[];
  readonly base: number[];
  readonly pages: Page[];
}

/** Keeps each message once, however often it is read: a page costs four bytes per item. */
export class PageGatherer {
  readonly #words: ProfileWords;
  readonly #conversations = new Map<number, Growing>();

  constructor(words: ProfileWords) {
    this.#words = words;
  }

  /** @param number of the conversation, which belongs to its user even if others use the same name */
  add(exchange: Exchange, number: number): void {
    const { operation, conversation, history, bodyProblem, status = 0 } = exchange;
    if (operation !== 'readHistory' || conversation === undefined || history === undefined) return;
    if (bodyProblem !== undefined || !this.#words.success.readHistory.includes(status)) return;
    if (!history.items.every(isItem)) return;
    let read = this.#conversations.get(number);
    if (!read) {
      read = { id: conversation, numbers: new Map(), changed: new Map(), items: [], base: [], pages: [] };
      this.#conversations.set(number, read);
    }
    const { limit, offset, items } = history;
    const { worker = 0, seq, sentAt, receivedAt, arrival, step } = exchange;
    const shown = { items: numbersOf(read, items), older: oldestBehind(items) };
    read.pages.push({ worker, seq, sentAt, receivedAt, arrival, step, limit, offset, ...shown });
  }

  finish(isDoubtful: (reference: Reference) => boolean): ReadonlyMap<number, ConversationPages> {
    const made = new Map<number, ConversationPages>();
    for (const [number, { id, items, base, numbers, pages }] of this.#conversations) {
      const sound = pages.filter((page) => !isDoubtful(page)).sort(bySending);
      made.set(number, { id, items, base, find: (item) => numbers.get(canonicalUuid(item)), pages: sound });
    }
    return made;
  }
}

type Shown = NonNullable<Exchange['history']>['items'][number];

/** The journal's decoder guarantees a list, but not the type of its items. */
const isItem = (item: unknown): item is Shown =>
  typeof item === 'object' &&
  item !== null &&
  isText((item as Shown).id) &&
  isText((item as Shown).role) &&
  ((item as Shown).digest === undefined || isText((item as Shown).digest)) &&
  ((item as Shown).createdAt === undefined || isText((item as Shown).createdAt));
const isText = (value: unknown) => typeof value === 'string';

/**
 * A conversation is read again and again: mostly the same item is at the same place as the last time, and comparing is faster
 * than a look-up.
 */
function numbersOf(read: Growing, items: readonly Shown[]): readonly number[] {
  const before = read.pages.at(-1)?.items;
  const numbers = new Array<number>(items.length);
  for (let i = 0; i < items.length; i++) {
    const one = items[i] as Shown;
    const same = before?.[i];
    const known = same === undefined ? undefined : read.items[same];
    const isSame = known?.id === one.id && known.role === one.role && known.digest === one.digest;
    numbers[i] = isSame ? (same as number) : numberOf(read, one);
  }
  return numbers;
}

function numberOf(read: Growing, { id: shown, role, digest, createdAt }: Shown): number {
  const id = canonicalUuid(shown);
  const known = read.numbers.get(id);
  const item = known === undefined ? undefined : read.items[known];
  if (known !== undefined && item?.role === role && item.digest === digest) return known;
  // A message whose content changes is another item.
  const [numbers, key] =
    known === undefined ? ([read.numbers, id] as const) : ([read.changed, JSON.stringify([id, role, digest])] as const);
  const number = numbers.get(key) ?? read.items.length;
  if (number === read.items.length) {
    numbers.set(key, number);
    const created = instantOf(createdAt ?? '');
    const createdUs = Number.isNaN(created) ? Number.NEGATIVE_INFINITY : created * 1_000;
    read.items.push({ id, role, digest, createdUs });
    read.base.push(known ?? number);
  }
  return number;
}

const UPPER_Z = 90;
const isUtc = (text: string) => text.charCodeAt(text.length - 1) === UPPER_Z;

/** Texts of the same form in UTC sort like their instants; only others need to be parsed. */
const rises = (items: readonly Shown[]) =>
  items.every(({ createdAt: here = '' }, i) => {
    const before = items[Math.max(0, i - 1)]?.createdAt ?? '';
    return here.length === before.length && isUtc(here) && isUtc(before) && here >= before;
  });

/** Unreadable instants are neither older nor younger than others. */
function oldestBehind(items: readonly Shown[]): Older | undefined {
  if (rises(items)) return undefined;
  let newest = Number.NEGATIVE_INFINITY;
  let oldest: Older | undefined;
  for (const [position, { createdAt = '' }] of items.entries()) {
    const createdUs = instantOf(createdAt) * 1_000;
    if (Number.isNaN(createdUs)) continue;
    const byUs = newest - createdUs;
    if (byUs > (oldest?.byUs ?? 0)) oldest = { position, byUs };
    newest = Math.max(newest, createdUs);
  }
  return oldest;
}
