import { seededRandom } from '../../../base/index.ts';
import { quotaOf } from '../../gate/index.ts';
import { startOfWindow } from '../../limiters/windows.ts';
import { altered } from '../altered.ts';
import type { Defect } from '../defect.ts';
import { ofRate } from '../of-limit.ts';
import { withItems } from './headers.ts';

const H8: Defect = {
  says: 'A limit with nothing left is omitted from RateLimit, because 0 is treated as absent. Shows at the last request of a window and in refusals.',
  breaks: () => ({ decide: withItems((item) => (/;r=0(?:;|$)/.test(item) ? undefined : item)) }),
};

const H9: Defect = {
  limit: 'rate',
  says: 'The remaining quota of the rate limit is random and never 0: it does not decrease by 1 with each request.',
  breaks: ({ config }) => {
    const random = seededRandom(config.seed, 'defect', 'H9');
    const most = new Map(config.limits.rate.map(({ name, max }) => [`"${name}"`, max]));
    return {
      decide: withItems((item) => {
        const max = most.get(item.split(';')[0] ?? '');
        return max === undefined ? item : item.replace(/;r=\d+/, `;r=${1 + random.integer(max)}`);
      }),
    };
  },
};

const H12: Defect = {
  limit: 'rate',
  says: 'The message of a refusal states the limit of another plan, five times the true one.',
  breaks: ({ config }) => {
    const [limit] = config.limits.rate;
    const message = `the limit of ${5 * (limit?.max ?? 20)} requests is exceeded`;
    return {
      decide: (honest) => (service, request, now) => {
        const answer = honest(service, request, now);
        if (answer.kind !== 'json') return answer;
        const { error } = answer.body as { readonly error?: { readonly code: string } };
        return error?.code === 'rate_limited' ? { ...answer, body: { error: { ...error, message } } } : answer;
      },
    };
  },
};

export const remaining = {
  H8,
  H9,
  H10: ofRate(
    'The remaining quota of the sliding counter ignores the weight of the previous window: it promises more requests than are admitted.',
    ({ limiter }, limit) => {
      const quota = quotaOf(limit);
      return {
        limiter: altered(limiter, {
          peek(ask) {
            const decision = limiter.peek(ask);
            if (!decision.admitted) return decision;
            const state = limiter.stateOf(ask.key) as { startsAt: number; current: number } | undefined;
            const used = state?.startsAt === startOfWindow(ask.now, quota) ? state.current : 0;
            return { ...decision, remaining: quota.max - used - 1 };
          },
        }),
      };
    },
    { algorithm: ['sliding-counter'] },
  ),
  H12,
};
