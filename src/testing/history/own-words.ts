import { type OperationId, operationIds, usualSuccesses } from '../../api/index.ts';
import type { Random } from '../../base/index.ts';
import { type JournalRecord, profileWords } from '../../history/index.ts';

/*
 * Histories of services that call things otherwise than the embedded sandbox does, with profiles that say so.
 */

/** What a turn does. `again`: it waits once more after it was in process. `finalizing`: something is still done after that. */
export type Phase = 'queued' | 'again' | 'processing' | 'finalizing' | 'completed' | 'failed';

/** The words of one service. */
export interface OwnWords {
  /** Names of each phase; of several, a service may show any. */
  readonly statuses: Readonly<Record<Phase, readonly string[]>>;
  /** What its profile says of them. */
  readonly turns: Readonly<
    Partial<Record<'open' | 'queued' | 'processing' | 'completed' | 'failed', readonly string[]>>
  >;
  readonly codes: ReadonlyMap<string, string>;
  readonly successes: Readonly<Partial<Record<OperationId, number>>>;
}

/** Among them words that the sandbox uses for something else, or that are read in some way where the profile is silent. */
const names = [
  ...['queued', 'processing', 'completed', 'failed', 'pending', 'WAITING', 'accepted', 'in_progress', 'running'],
  ...['IN_PROGRESS', 'thinking', 'finalizing', 'DONE', 'error', 'retrying', '', '__proto__', 'true', 'Queued'],
];
/** Read as waiting, and as in process, where the profile does not say which are. */
const usual = { queued: ['queued'], processing: ['processing', 'in_progress', 'running'] };

/** @param isFinalHeld whether a turn holds its slot while something is done after it was in process */
export function drawOwnWords(random: Random, isFinalHeld: boolean): OwnWords {
  const statuses = drawStatuses(random);
  const { queued, again, processing, finalizing, completed, failed } = statuses;
  const waiting = [...queued, ...again].filter((name) => ![...processing, ...finalizing].includes(name));
  const working = [...processing, ...(isFinalHeld ? finalizing : [])].filter(
    (name) => ![...queued, ...again, ...(isFinalHeld ? [] : finalizing)].includes(name),
  );
  const open = [...new Set([...queued, ...again, ...processing, ...finalizing])];
  const codes = shuffled(random, ['rate_limited', 'concurrency_limited', 'daily_quota_exceeded', 'E429', 'quota']);
  return {
    statuses,
    turns: {
      ...{ open, completed, failed },
      ...told(random, 'queued', open, waiting),
      ...told(random, 'processing', open, working),
    },
    codes: new Map(limitCodes.map((code, i) => [code, codes[i] as string])),
    successes: drawSuccesses(random),
  };
}

const limitCodes = ['rate_limited', 'concurrency_limited', 'daily_quota_exceeded'];

function drawStatuses(random: Random): OwnWords['statuses'] {
  const left = shuffled(random, names);
  const own = (most: number) => left.splice(0, 1 + random.integer(most));
  const [queued, processing] = [own(2), own(2)];
  // Some services have one word for whatever is not over.
  if (random.next() < 0.2) processing.push(queued[0] as string);
  const again = random.next() < 0.5 ? queued : own(1);
  const finalizing = random.next() < 0.3 ? processing : own(1);
  return { queued, again, processing, finalizing, completed: own(2), failed: own(2) };
}

/** Some of what is so, or nothing where the usual words mean what they usually do. */
function told(random: Random, list: keyof typeof usual, open: readonly string[], truth: readonly string[]): object {
  const isUsual = usual[list].every((name) => !open.includes(name) || truth.includes(name));
  if (random.next() < 0.4 && isUsual) return {};
  const share = [0, 0.5, 1][random.integer(3)] as number;
  return { [list]: [...new Set(truth)].filter(() => random.next() < share) };
}

function drawSuccesses(random: Random): OwnWords['successes'] {
  const others = operationIds.filter((id) => id !== 'openStream' && random.next() < 0.4);
  return Object.fromEntries(others.map((id) => [id, 200 + random.integer(4)]));
}

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const left = [...values];
  return values.map(() => left.splice(random.integer(left.length), 1)[0] as T);
}

/**
 * The same history of a service with these words.
 * @param records whose statuses of turns are phases
 * @param random draws which of several names is shown
 */
export function inOwnWords(
  records: readonly JournalRecord[],
  { statuses, turns, codes, successes }: OwnWords,
  random: Random,
): JournalRecord[] {
  const statusOf = (phase: string) => {
    const among = statuses[phase as Phase];
    return among[random.integer(among.length)] as string;
  };
  return records.map((record): JournalRecord => {
    if (record.kind === 'header') return { ...record, profile: profileIn({ turns, codes, successes }, record.profile) };
    if (record.kind === 'stream')
      return record.status === undefined ? record : { ...record, status: statusOf(record.status) };
    if (record.kind !== 'exchange') return record;
    const { operation, outcome, status, turn, error } = record;
    const isSuccess = outcome === 'answered' && usualSuccesses[operation].includes(status ?? 0);
    const own = isSuccess ? successes[operation] : undefined;
    return {
      ...record,
      ...(own !== undefined && { status: own }),
      ...(turn?.status !== undefined && { turn: { ...turn, status: statusOf(turn.status) } }),
      ...(error && { error: { ...error, code: codes.get(error.code) ?? error.code } }),
    };
  });
}

function profileIn({ turns, codes, successes }: Omit<OwnWords, 'statuses'>, profile: unknown): object {
  const { errorCodes } = profileWords(profile);
  const own = (listed: readonly string[]) => listed.map((code) => codes.get(code) ?? code);
  const written = profile as { readonly turns?: object; readonly success?: object };
  const success = Object.entries(successes).map(([id, status]) => [id, [status]]);
  return {
    ...written,
    turns: { ...written.turns, queued: undefined, processing: undefined, ...turns },
    errorCodes: {
      ...errorCodes,
      rate: own(errorCodes.rate),
      concurrency: own(errorCodes.concurrency),
      daily: own(errorCodes.daily),
      // Of codes that differ from the defaults, it would be true where nobody says so.
      known: errorCodes.known ?? false,
    },
    success: { ...written.success, ...Object.fromEntries(success) },
  };
}
