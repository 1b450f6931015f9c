import type { TrendSamples } from '../collect/index.ts';
import type { Aggregation } from '../metrics/index.ts';

/** What an aggregation asks of times: a value that any number of samples supports, or a percentile, which needs some. */
type Asked = { readonly us: number } | { readonly percent: number };

const none = (what: string) => (): never => {
  throw new TypeError(`times have no ${what}`);
};

/** An aggregation that is missing here does not compile: it would be judged as another one. */
const askedOf: {
  readonly [Of in Aggregation['of']]: (samples: TrendSamples, aggregation: Extract<Aggregation, { of: Of }>) => Asked;
} = {
  avg: ({ mean }) => ({ us: mean }),
  min: ({ min }) => ({ us: min }),
  max: ({ max }) => ({ us: max }),
  med: () => ({ percent: 50 }),
  percentile({ min, max }, { percent }) {
    if (percent <= 0) return { us: min };
    return percent >= 100 ? { us: max } : { percent };
  },
  count: none('count'),
  rate: none('rate'),
  value: none('value'),
};

export function timeOf(aggregation: Aggregation, samples: TrendSamples): Asked {
  // The only cast: TypeScript cannot correlate a record's value with its key's type.
  return (askedOf[aggregation.of] as (samples: TrendSamples, aggregation: Aggregation) => Asked)(samples, aggregation);
}
