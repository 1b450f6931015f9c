import { nearest } from '../../base/index.ts';
import { type MetricName, metricNames, type TagName, tagsOf } from '../table.ts';
import { type KnownTags, limitTags, tagValues } from '../tags.ts';
import type { Fault, Parsed } from './parsed.ts';

/** A metric, optionally restricted by tags: `http_req_duration{operation:sendMessage,outcome:success}`. */
export interface Selector {
  readonly metric: MetricName;
  /** As written, without defaults; in the order of the metrics table. */
  readonly tags: Readonly<Partial<Record<TagName, string>>>;
}

export type LimitTag = (typeof limitTags)[number];

/** Names of gates on limit verdicts. */
export const limitGateNames: readonly string[] = limitTags.map((limit) => `limit.${limit}`);

/** All names of gates, without tags. */
export const gateNames: readonly string[] = [...metricNames, ...limitGateNames];

/** k6 metrics that Spillway does not have, with a hint at the equivalent. */
const k6Equivalents: Readonly<Record<string, string>> = {
  http_req_blocked: 'write cap_wait{cap:connection}, the wait for a free connection',
  http_req_waiting: 'write http_req_duration',
  http_req_sending: 'write http_req_duration',
  http_req_receiving: 'write http_req_duration',
  http_req_connecting: 'write cap_wait{cap:connection}',
  http_req_tls_handshaking: 'write cap_wait{cap:connection}',
  ws_connecting: 'write http_req_duration{operation:openStream}',
  ws_sessions: 'write http_reqs{operation:openStream}',
  ws_session_duration: 'write turn_completion{by:stream}',
  group_duration: 'write iteration_duration',
};

/** k6 tags that a metric does not have, with a hint at the equivalent. */
const k6Tags: Readonly<Record<string, string>> = {
  expected_response: 'write outcome:success',
  status: 'write outcome:success, or outcome:refused for 429',
  scenario: 'write journey or stage',
  group: 'write operation, journey or stage',
  name: 'write operation',
  method: 'write operation',
  url: 'write operation',
};

const TAG_VALUE = /^[A-Za-z0-9_.-]+$/;
const STATUS = /^[1-9]\d\d$/;

/**
 * Parses a metric with tags in k6's syntax; tag values may be in single or double quotes.
 * @param known values of tags that depend on the caller; a tag whose values are unknown takes any value
 */
export function parseSelector(text: string, known: KnownTags = {}): Parsed<Selector> {
  const match = /^\s*([^{}\s]*)\s*(?:\{([^{}]*)\})?\s*$/.exec(text);
  if (!match) {
    return { faults: [{ message: `"${text}" is not a metric`, hint: 'write name or name{tag:value}' }] };
  }
  const name = match[1] ?? '';
  const metric = metricNames.find((one) => one === name);
  if (metric === undefined) return { faults: [unknownMetric(name)] };
  const pairs = match[2] === undefined ? [] : splitPairs(match[2]);
  const read = pairs.map((pair) => readTag(metric, pair, known));
  const twice = read.filter(({ tag }, index) => tag && read.findIndex((one) => one.tag === tag) < index);
  const faults = [
    ...read.flatMap(({ fault }) => (fault ? [fault] : [])),
    ...twice.map(({ tag }) => ({ message: `the tag ${tag} is given twice`, hint: 'give it once' })),
  ];
  const given = new Map(read.map(({ tag, value }) => [tag, value]));
  if (faults.length === 0) faults.push(...contradiction(given.get('outcome'), given.get('status')));
  if (faults.length > 0) return { faults };
  const tags = tagsOf(metric).flatMap((tag) => (given.has(tag) ? [[tag, given.get(tag)]] : []));
  return { value: { metric, tags: Object.fromEntries(tags) } };
}

/** The canonical text. */
export function printSelector({ metric, tags }: Selector): string {
  const pairs = Object.entries(tags).map(([tag, value]) => `${tag}:${printValue(value)}`);
  return pairs.length === 0 ? metric : `${metric}{${pairs.join(',')}}`;
}

const printValue = (value: string): string => {
  if (TAG_VALUE.test(value)) return value;
  return value.includes('"') ? `'${value}'` : `"${value}"`;
};

/** Splits at commas outside quotes. A quote that nothing closes is left for `readTag` to reject. */
const splitPairs = (text: string): string[] => text.match(/(?:"[^"]*"|'[^']*'|[^,])+/g) ?? [''];

function unknownMetric(name: string): Fault {
  if (limitGateNames.includes(name)) {
    const hint = `write ${name}: held or ${name}: not violated as a gate, without tags; comparisons have every limit anyway`;
    return { message: `${name} is not a metric, but the verdict on a limit`, hint };
  }
  const other = Object.hasOwn(k6Equivalents, name) ? k6Equivalents[name] : undefined;
  const near = nearest(name, gateNames);
  const hint = other ?? (near === undefined ? `metrics are ${gateNames.join(', ')}` : `did you mean ${near}?`);
  return { message: name === '' ? 'names no metric' : `there is no metric "${name}"`, hint };
}

interface ReadTag {
  readonly tag?: TagName;
  readonly value?: string;
  readonly fault?: Fault;
}

function readTag(metric: MetricName, pair: string, known: KnownTags): ReadTag {
  const match = /^\s*(\w+)\s*:\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))\s*$/.exec(pair);
  const tags = tagsOf(metric);
  const allowed = tags.length === 0 ? `${metric} has no tags` : `${metric} has ${tags.join(', ')}`;
  if (!match) {
    return { fault: { message: `"${pair.trim()}" is not a tag`, hint: `write tag:value; ${allowed}` } };
  }
  const tag = tags.find((one) => one === match[1]);
  if (tag === undefined) {
    return {
      fault: { message: `${metric} has no tag "${match[1]}"`, hint: tagMeant(match[1] ?? '', tags) ?? allowed },
    };
  }
  const value = match[2] ?? match[3] ?? match[4] ?? '';
  if (tag === 'status' && !STATUS.test(value)) return { tag, fault: noStatus(metric, value) };
  const values = tagValues(metric, tag, known);
  if (values !== undefined && !values.includes(value)) {
    const near = nearest(value, values);
    if (values.length === 0) return { tag, fault: noValues(metric, tag) };
    const hint = near === undefined ? `its values are ${values.join(', ')}` : `did you mean ${near}?`;
    return { tag, fault: { message: `the tag ${tag} of ${metric} never has the value "${value}"`, hint } };
  }
  return { tag, value };
}

function tagMeant(name: string, tags: readonly TagName[]): string | undefined {
  const near = nearest(name, tags);
  if (near !== undefined) return `did you mean ${near}?`;
  const other = Object.hasOwn(k6Tags, name) ? k6Tags[name] : undefined;
  // Not every metric has the tag that stands for it.
  return other !== undefined && tags.some((tag) => other.includes(tag)) ? other : undefined;
}

const noValues = (metric: MetricName, tag: TagName): Fault => ({
  message: `the tag ${tag} of ${metric} has no values here`,
  hint: tag === 'stage' ? 'the plan has only one stage, or too many to keep apart; leave the tag out' : 'leave it out',
});

/** A gate on `5xx` would count nothing, and pass. */
const noStatus = (metric: MetricName, value: string): Fault => ({
  message: `the tag status of ${metric} never has the value "${value}"`,
  hint: 'write one status, such as 503; outcome:error are all answers that are neither a success nor a refusal',
});

/**
 * Only answers have a status. A gate on one that no such outcome has would count nothing, and pass; which statuses besides 429 are
 * refusals depends on the profile, so `refused` stands alone.
 */
function contradiction(outcome: string | undefined, status: string | undefined): Fault[] {
  if (outcome === undefined || status === undefined) return [];
  const isAnswer = outcome !== 'failed' && outcome !== 'censored';
  if (isAnswer && (outcome === 'refused') === (status === '429')) return [];
  const message = `a gate cannot have both outcome:${outcome} and status:${status}`;
  const ofRefused = 'refused is 429, and what errorCodes.otherStatuses of the profile names';
  return [{ message, hint: `write one of them; ${isAnswer ? ofRefused : `${outcome} is without an answer`}` }];
}
