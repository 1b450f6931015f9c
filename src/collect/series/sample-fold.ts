import type { Micros } from '../../base/index.ts';
import type { MetricType } from '../../metrics/index.ts';
import { MicrosHistogram } from '../histograms/histogram.ts';
import { TimeBatches } from '../histograms/time-batches.ts';
import type { Reading } from './reading.ts';

/** Folds all samples into one reading; its memory does not grow with the samples. */
export class SampleFold {
  readonly #type: MetricType;
  readonly #about: 'service' | 'run';
  readonly #trend: MicrosHistogram;
  /** Made with the first sample that was late: until then it would be the same. */
  #earliest: MicrosHistogram | undefined;
  #late = 0;
  readonly #over: TimeBatches;
  #part = 0;
  #whole = 0;
  #highest: number | undefined;

  /** @param about see `MicrosHistogram` */
  constructor(type: MetricType, about: 'service' | 'run') {
    this.#type = type;
    this.#about = about;
    this.#trend = new MicrosHistogram(about);
    this.#over = new TimeBatches(about);
  }

  /** @param lateUs how much of a trend's value the generator may have added */
  add(value: number, at: Micros, whole = 1, lateUs = 0): void {
    if (this.#type === 'trend') this.#addTime(value, at, lateUs);
    if (this.#type === 'rate') for (let one = 0; one < whole; one++) this.#over.add(one < value ? 1 : 0, at);
    this.#part += value;
    this.#whole += whole;
    this.#highest = Math.max(value, this.#highest ?? Number.NEGATIVE_INFINITY);
  }

  #addTime(us: number, at: Micros, lateUs: number): void {
    if (lateUs > 0) {
      this.#late += 1;
      this.#earliest ??= copyOf(this.#trend, this.#about);
    }
    this.#trend.record(us, at);
    this.#earliest?.record(us - lateUs, at);
  }

  /** @param seconds over which a counter counted */
  reading(seconds: number): Reading {
    switch (this.#type) {
      case 'trend':
        return {
          type: 'trend',
          ...(this.#trend.count > 0 && { samples: this.#trend }),
          ...(this.#earliest && { earliest: { samples: this.#earliest, late: this.#late } }),
        };
      case 'counter':
        return { type: 'counter', count: this.#part, seconds };
      case 'rate':
        return { type: 'rate', part: this.#part, whole: this.#whole, over: this.#over };
      case 'gauge':
        return { type: 'gauge', ...(this.#highest !== undefined && { value: this.#highest }) };
    }
  }
}

function copyOf(histogram: MicrosHistogram, about: 'service' | 'run'): MicrosHistogram {
  const copy = new MicrosHistogram(about);
  copy.add(histogram);
  return copy;
}
