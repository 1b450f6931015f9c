import { expect } from 'vitest';
import type { DefectId } from '../../api/index.ts';
import type { SandboxSettings } from '../config.ts';
import {
  applications,
  basic,
  CoreClient,
  conversationId,
  otherConversationId,
  type Seen,
  unknownId,
} from '../core-client.exam.ts';
import { withAssumptions } from './index.ts';

/*
 * A probe describes what a client does: steps separated by "|", each a time in seconds after noon and the requests that are
 * sent at that instant, in order.
 *
 *   0 read*5 | 59.9 b.read?left | 60 send=m1?turn
 *
 * Who: a (default) and b are users of one application; j is a user whose token is of Asia/Tokyo; n is another token of a; z is
 * user a of another application. Times may also be written in hours, 12h, or in both, 12h+0.5.
 * What: read (history), read2 (of another conversation), badread (422), turn (one that does not exist, 404), send (a new
 * message), send=ID (that one, always of the same content), badsend (422).
 * ?retry, ?left, ?t, ?items and ?text show Retry-After, r of the first item of RateLimit, t of that item, the whole header, or the
 * message of an error. ?turn names the turn: t1, t2, … in the order of first appearance. *N: N times.
 */

const shorter: Readonly<Record<string, string>> = {
  rate_limited: 'rate',
  concurrency_limited: 'slots',
  daily_quota_exceeded: 'day',
  invalid_request: 'invalid',
  not_found: 'unknown',
};
const HOUR_MS = 3_600_000;

const tokensOf = (client: CoreClient): Readonly<Record<string, string>> => ({
  a: client.login('u1'),
  b: client.login('u2'),
  n: client.login('u1'),
  z: client.login('u1', applications[1]),
  j: String(
    client.call('issueToken', {
      authorization: basic('one', 'secret-one'),
      json: { external_user_id: 'u3', timezone: 'Asia/Tokyo' },
    }).body.access_token,
  ),
});

/** Parses `12h+0.5` into milliseconds, precise to the microsecond. */
function timeOf(text: string): number {
  const [, hours = '0', seconds = '0'] = /^(?:(\d+)h)?\+?(-?[\d.]+)?$/.exec(text) ?? [];
  return Math.round((Number(hours) * 3_600 + Number(seconds)) * 1_000_000) / 1_000;
}

const send = (client: CoreClient, json: object) =>
  client.call('sendMessage', { parameters: { conversation_id: conversationId }, json });
const message = (id: string) => ({ client_message_id: id, message: `text of ${id}` });
const history = (client: CoreClient, conversation_id: string, query = {}) =>
  client.call('readHistory', { parameters: { conversation_id }, query });

const verbs: Readonly<Record<string, (client: CoreClient, id: string) => Seen>> = {
  read: (client) => history(client, conversationId),
  read2: (client) => history(client, otherConversationId),
  badread: (client) => history(client, conversationId, { limit: '0' }),
  turn: (client) => client.turn(unknownId),
  send: (client, id) => send(client, message(id)),
  badsend: (client) => send(client, { client_message_id: '', message: 'text' }),
};

/** Run-length encoding: `ok*20 rate*5`. */
function folded(words: readonly string[]): string {
  const runs: { word: string; times: number }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last?.word === word) last.times++;
    else runs.push({ word, times: 1 });
  }
  return runs.map(({ word, times }) => (times === 1 ? word : `${word}*${times}`)).join(' ');
}

/** The answers that a client gets from a service with these settings, step by step. */
function probe(settings: SandboxSettings, steps: string): string {
  const client = new CoreClient({ tokenLifetime: '30d', ...settings });
  const tokens = tokensOf(client);
  for (const token of Object.values(tokens)) {
    client.token = token;
    for (const conversation_id of [conversationId, otherConversationId])
      client.at(-48 * HOUR_MS).converse({ conversation_id });
  }
  const turns: string[] = [];
  let fresh = 0;

  const shown = (seen: Seen, show: string | undefined): string => {
    const word = seen.code === undefined ? 'ok' : (shorter[seen.code] ?? seen.code);
    const header = (name: string, pattern: RegExp) => pattern.exec(seen.headers[name] ?? '')?.[1] ?? '-';
    switch (show) {
      case undefined:
        return word;
      case 'retry':
        return seen.status === 429 ? `${word}:${header('retry-after', /^(.+)$/)}` : word;
      case 'left':
        return `${word}:${header('ratelimit', /;r=(-?\d+)/)}`;
      case 't':
        return `${word}:${header('ratelimit', /;t=(-?\d+)/)}`;
      case 'items':
        return `${word}:${header('ratelimit', /^(.+)$/)}`;
      case 'text':
        return seen.message ?? word;
      case 'turn': {
        const id = seen.body.turn_id as string | undefined;
        if (id === undefined) return word;
        if (!turns.includes(id)) turns.push(id);
        return `t${turns.indexOf(id) + 1}`;
      }
      default:
        throw new Error(`unknown suffix ?${show}`);
    }
  };
  const answers = (request: string): string[] => {
    const [, who = 'a', verb = '', id, show, times = '1'] =
      /^(?:([abjnz])\.)?(\w+)(?:=(\w+))?(?:\?(\w+))?(?:\*(\d+))?$/.exec(request) ?? [];
    const act = verbs[verb];
    if (!act) throw new Error(`"${request}" is not a request`);
    client.token = tokens[who] ?? '';
    return Array.from({ length: Number(times) }, () => shown(act(client, id ?? `fresh${fresh++}`), show));
  };
  return steps
    .split('|')
    .map((step) => {
      const [time = '', ...requests] = step.trim().split(/\s+/);
      client.at(timeOf(time));
      return folded(requests.flatMap(answers));
    })
    .join(' | ');
}

/** The test case of a defect. */
interface DefectExam {
  readonly id: DefectId;
  readonly settings: SandboxSettings;
  readonly probe: string;
  /** Answers of the correct sandbox, under the settings that the defect needs. */
  readonly honest: string;
  /** Answers of the defective sandbox. */
  readonly broken: string;
}

/** 4 reads per minute, 2 slots, 5 messages a day. Messages do not count towards the rate limit. */
const usual = {
  rate: { max: 4, operations: ['readHistory', 'readTurn'] },
  concurrency: { max: 2 },
  daily: { max: 5 },
} as const satisfies SandboxSettings['limits'];

/** Settings by the name that a table uses. Limits that they leave out are those of `usual`. */
export type NamedSettings = Readonly<Record<string, SandboxSettings>>;

const common: NamedSettings = {
  '': {},
  slots: { limits: { daily: 1_000 } },
  days: { limits: { concurrency: 1_000 } },
  free: { limits: { daily: 1_000, concurrency: 1_000 } },
};

/**
 * Parses a table. Each defect has a line with its id, optionally the name of settings, and the probe, followed by the answers of
 * a correct and of a defective sandbox.
 */
export function examsOf(table: string, named: NamedSettings = {}): readonly DefectExam[] {
  const settings: NamedSettings = { ...common, ...named };
  return table
    .trim()
    .split(/\n\s*\n/)
    .map((text) => {
      const [, id = '', name = '', steps = '', honest = '', broken = ''] =
        /^\s*([A-Z]\d+) +(?:@(\w+) +)?(.+)\n +honest +(.+)\n +broken +(.+?)\s*$/.exec(text) ?? [];
      const found = settings[name];
      if (!found || broken === '') throw new Error(`not an exam: ${text}`);
      const limits = { ...usual, ...found.limits } as NonNullable<SandboxSettings['limits']>;
      return { id: id as DefectId, settings: { ...found, limits }, probe: steps, honest, broken };
    });
}

/** Sends the same requests to a correct sandbox and to a defective one. The two differ only in the defect. */
export function sitDefectExam({ id, settings, probe: steps, honest, broken }: DefectExam): void {
  const assumed = withAssumptions({ ...settings, defects: [id] }) as SandboxSettings;
  const seen = {
    honest: probe({ ...assumed, defects: [] }, steps),
    broken: probe({ ...settings, defects: [id] }, steps),
  };
  expect(seen).toEqual({ honest, broken });
}
