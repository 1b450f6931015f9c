import { LatencyDistribution } from '../api/index.ts';

const parametersOf = {
  constant: ['value'],
  uniform: ['min', 'max'],
  lognormal: ['median', 'p95'],
  exponential: ['mean'],
} as const;

/** Syntax of a distribution in one word, for help and errors. */
export const latencyForms =
  'constant:1s, uniform:1s:2s, lognormal:2s:5s (median and 95th percentile) or exponential:2s (mean)';

/**
 * Parses a distribution in one word: its name, then its parameters in the order of `latencyForms`.
 * @returns the distribution, or what is wrong with the text
 */
export function parseLatency(text: string): LatencyDistribution | { readonly problem: string } {
  const [name = '', ...values] = text.split(':');
  if (!isName(name) || values.length !== parametersOf[name].length)
    return { problem: `"${text}" is not a distribution; write ${latencyForms}` };
  const entries = parametersOf[name].map((parameter, index) => [parameter, values[index]]);
  const result = LatencyDistribution.safeParse({ distribution: name, ...Object.fromEntries(entries) });
  return result.success ? result.data : { problem: result.error.issues.map((issue) => issue.message).join('; ') };
}

const isName = (text: string): text is keyof typeof parametersOf => Object.hasOwn(parametersOf, text);
