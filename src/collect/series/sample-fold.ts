import type { Micros } from '../../base/index.ts';
import type { MetricType } from '../../metrics/index.ts';
import { MicrosHistogram } from '../histogram.ts';
import { TimeBatches } from '../time-batches.ts';
import type { Reading } from './reading.ts';

/** Folds all samples into one reading; its memory does not grow with the samples. */
export class SampleFold {
  readonly #type: MetricType;
  readonly #trend: MicrosHistogram;
  readonly #over: TimeBatches;
  #part = 0;
  #whole = 0;
  #highest: number | undefined;

  /** @param about see `MicrosHistogram` */
  constructor(type: MetricType, about: 'service' | 'run') {
    this.#type = type;
    this.#trend = new MicrosHistogram(about);
    this.#over = new TimeBatches(about);
  }

  add(value: number, at: Micros, whole = 1): void {
    if (this.#type === 'trend') this.#trend.record(value, at);
    if (this.#type === 'rate') for (let one = 0; one < whole; one++) this.#over.add(one < value ? 1 : 0, at);
    this.#part += value;
    this.#whole += whole;
    this.#highest = Math.max(value, this.#highest ?? Number.NEGATIVE_INFINITY);
  }

  /** @param seconds over which a counter counted */
  reading(seconds: number): Reading {
    switch (this.#type) {
      case 'trend':
        return { type: 'trend', ...(this.#trend.count > 0 && { samples: this.#trend }) };
      case 'counter':
        return { type: 'counter', count: this.#part, seconds };
      case 'rate':
        return { type: 'rate', part: this.#part, whole: this.#whole, over: this.#over };
      case 'gauge':
        return { type: 'gauge', ...(this.#highest !== undefined && { value: this.#highest }) };
    }
  }
}
