import type { Rule } from '../../gate/index.ts';
import type { Defect } from '../defect.ts';
import { lacksTwoRates, ofDay, ofRate } from '../of-limit.ts';
import { equalRoutes, userAndApplication } from '../stacks.ts';

const S3: Defect = {
  limit: 'rate',
  says: 'Two rate limits with equal settings share one counter: the remaining quota of one decreases when the other is used, and both together admit the limit only once.',
  requires: { rates: equalRoutes, lacks: lacksTwoRates },
  breaks: ({ config }) => {
    /** The settings of a limit without its name and operations. */
    const kindOf = (name: string) => {
      const limit = config.limits.rate.find((each) => each.name === name);
      return JSON.stringify({ ...limit, name: '', operations: [] });
    };
    return {
      rules(honest) {
        const first = new Map<string, Rule>();
        return honest.map((rule) => {
          if (rule.limit !== 'rate') return rule;
          const twin = first.get(kindOf(rule.name));
          if (!twin) first.set(kindOf(rule.name), rule);
          return twin ? { ...rule, limiter: twin.limiter } : rule;
        });
      },
    };
  },
};

const S5: Defect = {
  limit: 'rate',
  says: 'Of several rate limits only the first is enforced: two users together exceed the second one.',
  requires: { rates: userAndApplication, lacks: lacksTwoRates },
  breaks: () => ({
    rules(honest) {
      const [first] = honest.filter(({ limit }) => limit === 'rate');
      return honest.filter((rule) => rule.limit !== 'rate' || rule === first);
    },
  }),
};

export const scopes = {
  S1: ofRate(
    'The limit is counted by path: each conversation has its own counter for each operation, so two conversations get twice the limit.',
    () => ({
      keyOf: ({ application, operation, conversation }) => `${application} ${operation} ${conversation?.() ?? ''}`,
    }),
  ),
  S3,
  S4: ofRate(
    'The limit is declared per application but counted per user (or the other way round): two users get twice the limit, or share one.',
    (_rule, { scope }) => ({ keyOf: (subject) => (scope === 'application' ? subject.owner : subject.application) }),
    {
      lacks: ({ rate }) =>
        rate.every(({ scope }) => scope === 'application' || scope === 'user')
          ? undefined
          : 'needs rate limits by application or user',
    },
  ),
  S5,
  S6: ofDay('The daily quota is counted per token: a new token gets the whole quota again.', () => ({
    keyOf: ({ token }) => token,
  })),
  S7: ofRate('All applications share one counter: one is refused because of requests of another.', () => ({
    keyOf: () => 'everybody',
  })),
};
