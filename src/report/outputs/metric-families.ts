import { createRequire } from 'node:module';
import type * as Library from 'prom-client';
import { type Distribution, type PercentileName, percentileNames } from '../../collect/index.ts';
import { percentileOf } from '../percentiles.ts';

const quantiles: Readonly<Record<PercentileName, string>> = {
  p50: '0.5',
  p90: '0.9',
  p95: '0.95',
  p99: '0.99',
  p999: '0.999',
};
export const seconds = (us: number): number => us / 1_000_000;

/** Loads a part of prom-client on demand. The whole library includes process metrics and takes ten times as long to load. */
const part = <Name extends 'Counter' | 'Gauge' | 'Registry'>(name: Name): (typeof Library)[Name] =>
  createRequire(import.meta.url)(`prom-client/lib/${name.toLowerCase()}`);

/** Metrics of one run, in their own registry, as OpenMetrics text 1.0. Every name begins with `spillway_`. */
export class MetricFamilies {
  readonly #registry: Library.Registry<Library.OpenMetricsContentType>;
  readonly #Gauge = part('Gauge');
  readonly #Counter = part('Counter');

  constructor() {
    const Registry = part('Registry');
    this.#registry = new Registry();
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  }

  /** All of them, as text that ends with `# EOF`. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  gauge(name: string, help: string, labels: readonly string[] = []) {
    return new this.#Gauge({ name: `spillway_${name}`, help, labelNames: [...labels], registers: [this.#registry] });
  }

  counter(name: string, help: string, labels: readonly string[] = []) {
    return new this.#Counter({ name: `spillway_${name}`, help, labelNames: [...labels], registers: [this.#registry] });
  }

  /** A distribution as gauges. A summary of the library would need the samples, which are not kept. */
  distribution(name: string, help: string, labels: readonly string[]) {
    const quantile = this.gauge(`${name}_seconds`, `${help}; quantiles with too few samples are left out`, [
      ...labels,
      'quantile',
    ]);
    const bound = this.gauge(`${name}_bound_seconds`, `${help}: 95 % bounds of the quantile`, [
      ...labels,
      'quantile',
      'bound',
    ]);
    const samples = this.gauge(`${name}_samples`, `${help}: samples`, labels);
    return (distribution: Distribution | undefined, values: Readonly<Record<string, string>>) => {
      if (!distribution) return;
      samples.set(values, distribution.count);
      for (const name of percentileNames) {
        const value = percentileOf(distribution, name);
        if (!value) continue;
        const labelled = { ...values, quantile: quantiles[name] };
        const { lowUs, highUs } = value.bounds;
        quantile.set(labelled, seconds(value.us));
        if (lowUs !== undefined) bound.set({ ...labelled, bound: 'low' }, seconds(lowUs));
        if (highUs !== undefined) bound.set({ ...labelled, bound: 'high' }, seconds(highUs));
      }
    };
  }
}
