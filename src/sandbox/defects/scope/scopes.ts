import type { Rule } from '../../gate/index.ts';
import type { Defect } from '../defect.ts';
import { lacksTwoRates, ofDay, ofRate } from '../of-limit.ts';
import { equalRoutes, userAndApplication } from '../stacks.ts';

const S3: Defect = {
  limit: 'rate',
  says: 'Two rate limits of equal settings share one counter: Remaining of one falls when the other is used, and both together admit the limit once.',
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
  says: 'Of several rate limits only the first is enforced: two users together pass what the second should forbid.',
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
    'The limit is counted by the path: each conversation has a counter of its own for each operation, and two conversations have twice the limit.',
    () => ({
      keyOf: ({ application, operation, conversation }) => `${application} ${operation} ${conversation?.() ?? ''}`,
    }),
  ),
  S3,
  S4: ofRate(
    'Declared for the application, counted by user (or the other way round): two users have twice the limit, or two of them one limit together.',
    (_rule, { scope }) => ({ keyOf: (subject) => (scope === 'application' ? subject.owner : subject.application) }),
    {
      lacks: ({ rate }) =>
        rate.every(({ scope }) => scope === 'application' || scope === 'user')
          ? undefined
          : 'needs rate limits by application or user',
    },
  ),
  S5,
  S6: ofDay('The daily quota is counted by token: with a new token it is whole again.', () => ({
    keyOf: ({ token }) => token,
  })),
  S7: ofRate('All applications share one counter: one is refused for what another has sent.', () => ({
    keyOf: () => 'everybody',
  })),
};
