import type { Collector, CollectorClaims } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { CapWaitsCollector } from './cap-waits.ts';
import { DropsCollector } from './drops.ts';
import { ErrorsCollector } from './errors.ts';
import { ExpectationsCollector } from './expectations.ts';
import { GeneratorHealthCollector } from './generator-health.ts';
import { IntervalsCollector } from './intervals.ts';
import { JourneysCollector } from './journeys.ts';
import { MessagesCollector } from './messages.ts';
import { OperationsCollector } from './operations.ts';
import { RateWindowsCollector } from './rate-windows.ts';
import { RefusalsCollector } from './refusals.ts';
import { RunFactsCollector } from './run-facts.ts';
import { ServiceMinutesCollector } from './service-minutes.ts';
import { StagesCollector } from './stages.ts';
import { TurnsCollector } from './turns.ts';

interface CollectorKind<Part> extends CollectorClaims {
  readonly create: (context: RunContext) => Collector<Part>;
}

/** Every collector. A new one is a file, a line here, and its members in `Measurements.summary`; the exam finds it by itself. */
export const collectors = {
  run: { create: (context) => new RunFactsCollector(context), order: 'any', warmUp: 'included' },
  operations: { create: (context) => new OperationsCollector(context), order: 'any', warmUp: 'excluded' },
  refusals: { create: (context) => new RefusalsCollector(context), order: 'any', warmUp: 'excluded' },
  errors: { create: (context) => new ErrorsCollector(context), order: 'any', warmUp: 'excluded' },
  // The warm-up used the day's quota, too; the messages themselves are counted without it.
  messages: { create: (context) => new MessagesCollector(context), order: 'any', warmUp: 'included' },
  serviceMinutes: { create: (context) => new ServiceMinutesCollector(context), order: 'any', warmUp: 'included' },
  rateWindows: { create: (context) => new RateWindowsCollector(context), order: 'any', warmUp: 'included' },
  // Turns of the warm-up are visible only while they are still open after it, in the number of open turns.
  turns: { create: (context) => new TurnsCollector(context), order: 'any', warmUp: 'excluded' },
  capWaits: { create: (context) => new CapWaitsCollector(context), order: 'any', warmUp: 'excluded' },
  drops: { create: (context) => new DropsCollector(context), order: 'any', warmUp: 'excluded' },
  journeys: { create: (context) => new JourneysCollector(context), order: 'any', warmUp: 'excluded' },
  stages: { create: (context) => new StagesCollector(context), order: 'journal', warmUp: 'included' },
  expectations: { create: (context) => new ExpectationsCollector(context), order: 'any', warmUp: 'excluded' },
  health: { create: (context) => new GeneratorHealthCollector(context), order: 'journal', warmUp: 'excluded' },
  intervals: { create: (context) => new IntervalsCollector(context), order: 'any', warmUp: 'included' },
} as const satisfies Readonly<Record<string, CollectorKind<unknown>>>;

export type CollectorName = keyof typeof collectors;
export const collectorNames = Object.keys(collectors) as readonly CollectorName[];
export type CollectorSet = { readonly [N in CollectorName]: ReturnType<(typeof collectors)[N]['create']> };

export const createCollectors = (context: RunContext): CollectorSet =>
  Object.fromEntries(collectorNames.map((name) => [name, collectors[name].create(context)])) as unknown as CollectorSet;
