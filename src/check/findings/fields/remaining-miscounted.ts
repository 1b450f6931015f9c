import { operationIds } from '../../../api/index.ts';
import { formatCount, plural } from '../../../base/index.ts';
import { DAY_US } from '../../days/calendar.ts';
import { Names } from '../../evidence/columns.ts';
import { Answer, Replay } from '../../evidence/evidence.ts';
import { Pairs } from '../../evidence/pairs.ts';
import { holdersOf, tolerancesOf } from '../advice/obeying.ts';
import type { Telling } from '../gather/advice.ts';
import { type Found, kindOf, type Look, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import type { Told } from '../read/told.ts';
import { differs } from './limit-policy-differs.ts';
import { limitTold, policyName } from './limit-told.ts';

type Data = {
  policy: string;
  first: string | number;
  last: string | number;
  from: number;
  to: number;
  sent: number;
  manner: 'too-fast' | 'stuck';
};

/**
 * The last remaining number that a policy gave to a holder and, if it did not decrease, since when. Within such a chain nothing
 * else was sent.
 */
interface Known {
  row: number;
  told: Told;
  chain: { readonly first: Telling; links: number } | undefined;
}

/**
 * `too-fast`: the number decreased by more than the attempts sent, which nothing explains. `stuck`: it decreased by less than was
 * counted, although according to the first answer nothing comes back before the last request was decided, beyond what a bucket
 * may refill and what was sent a window ago. Of another limit than the declared ones neither is known: it may be everybody's.
 */
export const remainingMiscounted = kindOf<Data>(
  'The remaining number in header fields did not decrease by what was sent.',
  function* (look) {
    const { evidence, advice, header } = look;
    if (!header.exclusive || !evidence.complete) return;
    const holders = holdersOf(evidence);
    const policies = new Names<string>();
    const keys = new Pairs();
    const known: (Known | undefined)[] = [];
    const { tellings } = advice;
    for (let row = 0; row < tellings.size; row++) {
      if (evidence.answer[row] !== Answer.admitted) continue;
      for (const told of tellings.told(row)) {
        if (told.remaining === undefined) continue;
        const key = keys.of(holders.of(row), policies.of(told.policy));
        const before = known[key];
        if (!before) {
          known[key] = { row, told, chain: undefined };
          continue;
        }
        // Decreased by one, and never stuck before: the normal case, nothing to examine.
        const usual = !before.chain && told.remaining === left(before) - 1;
        const fault = usual ? undefined : follow(look, before, { row, told });
        before.row = row;
        before.told = told;
        if (fault) yield fault;
      }
    }
  },
  ({ policy, first, last, from, to, sent, manner }) =>
    `the policy ${policy} had ${formatCount(from)} left in the answer to request ${first} and ${formatCount(to)} in the answer to request ${last}, ${plural(sent, 'request')} later: ${manner === 'stuck' ? 'it does not decrease' : 'it decreased by more than was sent'}`,
);

const left = ({ told }: Pick<Telling, 'told'>) => told.remaining ?? 0;

/** Continues the chain with `telling`, or ends it. @returns what is wrong */
function follow(look: Look, known: Known, telling: Telling): Found<Data> | undefined {
  const { evidence, traffic } = look;
  const last = { row: known.row, told: known.told };
  const { chain = { first: last, links: 0 } } = known;
  known.chain = undefined;
  // If the two answers overlap, it is unknown which came first.
  if ((evidence.to[last.row] as number) > (evidence.from[telling.row] as number)) return undefined;
  if ((evidence.from[last.row] as number) < aloneSince(look)) return undefined;
  // Older fields name no policy: now it may be another one.
  if (last.told.quota !== telling.told.quota || !isDeclared(look, telling)) return undefined;
  const sent = traffic.within(evidence.from[last.row] as number, evidence.to[telling.row] as number) - 1;
  if (left(telling) < left(last) - sent) return found(look, last, telling, sent, 'too-fast');
  if (sent !== 1 || !isCounted(look, telling) || isOver(look, chain.first, telling)) return undefined;
  known.chain = { first: chain.first, links: chain.links + 1 };
  const fault = stuck(look, known.chain, telling);
  if (fault) known.chain = undefined;
  return fault;
}

/** Service time from which on no request from before the run is counted. */
function aloneSince({ header, evidence: { timeline } }: Look): number {
  if (Object.values(header.flushed).every(Boolean)) return Number.NEGATIVE_INFINITY;
  const delay = header.clock.maxServerDelayUs;
  return Math.max(timeline.at(delay), timeline.at(0) + delay);
}

/** Whether it is certainly one of the declared limits, of which less is left only by what is sent. */
function isDeclared({ header, declared }: Look, { told }: Telling): boolean {
  const limit = limitTold(told, header);
  if (limit === undefined || told.quota === undefined || differs(told, limit, header)) return false;
  // A turn that waits takes its slot later than its message was sent.
  return limit !== 'concurrency' || declared.concurrency === 'accepted-to-finished';
}

/** Whether this limit certainly counts such a request. */
function isCounted({ evidence, header }: Look, { row, told }: Telling): boolean {
  const operation = operationIds[evidence.operation[row] as number];
  if (operation === undefined || evidence.replay[row] !== Replay.no) return false;
  const limit = limitTold(told, header);
  return limit === 'rate'
    ? evidence.words.rateCounts.includes(operation)
    : limit === 'daily' && operation === 'sendMessage';
}

/** Whether more may have come back by now than the first answer says. */
function isOver(look: Look, first: Telling, telling: Telling): boolean {
  const { drift, slackUs } = tolerancesOf(look);
  const seconds = first.told.resetSeconds;
  if (seconds === undefined) return true;
  const until = (look.evidence.from[first.row] as number) + (seconds - 1) * 1e6 * (1 - drift) - slackUs;
  return (look.evidence.to[telling.row] as number) >= until;
}

function stuck(look: Look, { first, links }: NonNullable<Known['chain']>, telling: Telling): Found<Data> | undefined {
  const { evidence, header, traffic } = look;
  const [from, to] = [evidence.from[first.row] as number, evidence.to[telling.row] as number];
  const limit = limitTold(telling.told, header) === 'daily' ? 'daily' : 'rate';
  const { rate } = header.limits;
  // A sliding counter admits while less than N weighs: then nearly one more is used than 0 left can show.
  const unshown = left(telling) === 0 ? 1 : 0;
  const refilled = Math.floor(((to - from) * rate.max) / rate.windowUs) + 1 + unshown;
  if (left(telling) <= left(first) - links + refilled) return undefined;
  const { drift, slackUs } = tolerancesOf(look);
  const windowUs = limit === 'daily' ? DAY_US : rate.windowUs;
  const [longUs, shortUs] = [(windowUs + slackUs) / (1 - drift), windowUs * (1 - drift) - slackUs];
  // How much was sent before the run is unknown.
  if (!header.flushed[limit] && from - longUs < aloneSince(look)) return undefined;
  const expired = traffic.within(from - longUs, to - shortUs);
  if (left(telling) <= left(first) - links + refilled + expired) return undefined;
  return found(look, first, telling, links, 'stuck');
}

function found({ evidence }: Look, a: Telling, b: Telling, sent: number, manner: Data['manner']): Found<Data> {
  const [first, last] = [evidence.refOf(a.row), evidence.refOf(b.row)];
  const policy = plainWord(policyName(b.told.policy));
  return observed(evidence, [a.row, b.row], { policy, first, last, from: left(a), to: left(b), sent, manner });
}
