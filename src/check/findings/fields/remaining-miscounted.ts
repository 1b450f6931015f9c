import { operationIds } from '../../../api/index.ts';
import { Answer } from '../../evidence.ts';
import { holdersOf, tolerancesOf } from '../advice/obeying.ts';
import type { Telling } from '../gather/advice.ts';
import { inert } from '../inert.ts';
import { type Found, kindOf, type Look } from '../kind.ts';
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

/** Answers one after the other that tell of one policy, with nothing else sent between them. */
interface Chain {
  readonly first: Telling;
  last: Telling;
  links: number;
}

/**
 * `too-fast`: more is gone than attempts were sent; nothing explains that. `stuck`: less is gone than was counted, although
 * the first answer told that nothing comes back before the last one was decided, beyond what a bucket may refill.
 */
export const remainingMiscounted = kindOf<Data>(
  'What the header fields tell is left did not fall by what was sent.',
  function* (look) {
    const { evidence, advice, header } = look;
    if (!header.exclusive || !evidence.complete) return;
    const holderOf = holdersOf(evidence);
    const chains = new Map<string, Chain>();
    for (const telling of advice.tellings()) {
      const { row, told } = telling;
      if (evidence.answer[row] !== Answer.admitted || told.remaining === undefined) continue;
      const key = `${holderOf(row)} ${told.policy}`;
      const chain = chains.get(key);
      const link = chain && linkOf(look, chain, telling);
      const fault = chain && link && (link.tooFast ?? stuck(look, chain, telling, link.isNext));
      if (fault) yield fault;
      if (chain && link?.isNext && !fault && !isOver(look, chain, telling)) {
        chain.last = telling;
        chain.links += 1;
      } else chains.set(key, { first: telling, last: telling, links: 0 });
    }
  },
  ({ policy, first, last, from, to, sent, manner }) =>
    `the policy ${policy} told ${from} left in the answer to request ${first} and ${to} in the answer to request ${last}, ${sent} ${sent === 1 ? 'request' : 'requests'} later: ${manner === 'stuck' ? 'it does not go down' : 'more is gone than was sent'}`,
);

const left = ({ told }: Telling) => told.remaining ?? 0;

/** How `telling` follows the chain; `undefined` where the two answers overlap. */
function linkOf(look: Look, { last }: Chain, telling: Telling): { isNext: boolean; tooFast?: Found<Data> } | undefined {
  const { evidence, traffic } = look;
  const [from, to] = [evidence.from[last.row] as number, evidence.to[telling.row] as number];
  if ((evidence.to[last.row] as number) > (evidence.from[telling.row] as number)) return undefined;
  const sent = traffic.within(from, to) - 1;
  const isNext = sent === 1 && isCounted(look, telling);
  if (left(telling) >= left(last) - sent) return { isNext };
  return { isNext, tooFast: found(look, last, telling, sent, 'too-fast') };
}

/** Whether this limit surely counts such a request. */
function isCounted({ evidence }: Look, { row, told }: Telling): boolean {
  const operation = operationIds[evidence.operation[row] as number];
  if (operation === undefined || evidence.replay[row] === 1) return false;
  const limit = limitTold(told);
  return limit === 'rate'
    ? evidence.words.rateCounts.includes(operation)
    : limit === 'daily' && operation === 'sendMessage';
}

/** Whether more may have come back by now than the first answer tells. */
function isOver(look: Look, { first }: Chain, telling: Telling): boolean {
  const { drift, slackUs } = tolerancesOf(look);
  const seconds = first.told.resetSeconds;
  if (seconds === undefined) return true;
  const until = (look.evidence.from[first.row] as number) + (seconds - 1) * 1e6 * (1 - drift) - slackUs;
  return (look.evidence.to[telling.row] as number) >= until;
}

function stuck(look: Look, chain: Chain, telling: Telling, isNext: boolean): Found<Data> | undefined {
  const { evidence, header } = look;
  if (!isNext || isOver(look, chain, telling)) return undefined;
  const sent = chain.links + 1;
  const elapsed = (evidence.to[telling.row] as number) - (evidence.from[chain.first.row] as number);
  const refilled = Math.floor((elapsed * header.limits.rate.max) / header.limits.rate.windowUs) + 1;
  if (left(telling) <= left(chain.first) - sent + refilled) return undefined;
  return found(look, chain.first, telling, sent, 'stuck');
}

function found(look: Look, a: Telling, b: Telling, sent: number, manner: Data['manner']): Found<Data> {
  const { evidence } = look;
  const [first, last] = [evidence.refOf(a.row), evidence.refOf(b.row)];
  return {
    basis: 'observation',
    at: evidence.sentAt[b.row] as number,
    exchanges: [first, last],
    data: { policy: inert(policyName(b.told.policy)), first, last, from: left(a), to: left(b), sent, manner },
  };
}
