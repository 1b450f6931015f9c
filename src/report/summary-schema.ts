import { z } from 'zod';
import { SUMMARY_FORMAT, SUMMARY_VERSION } from '../collect/index.ts';
import { capNames, dropReasons } from '../history/index.ts';
import type { SummaryDocument } from './judged.ts';
import { publishedSchema } from './published-schema.ts';
import { HealthSchema } from './schemas/health.ts';
import { count, formatOf, memberOf } from './schemas/parts.ts';
import { LimitsSchema, RunSchema } from './schemas/run.ts';
import {
  CapWaitSchema,
  DaySchema,
  ErrorSchema,
  ExpectationsSchema,
  FullestDaySchema,
  FullestWindowSchema,
  JourneySchema,
  MessagesSchema,
  MinuteSchema,
  OperationSchema,
  operation,
  RefusalsSchema,
} from './schemas/sections.ts';
import { KneeSchema, StageSchema } from './schemas/stages.ts';
import { TurnsSchema } from './schemas/turns.ts';

/** The shape of `summary.json`. The compiler checks that it has exactly the members of the type. */
export const SummarySchema: z.ZodType<SummaryDocument> = memberOf<SummaryDocument>(
  'Everything measured in one run of spillway; anything that was not observed is absent, never null or zero',
  {
    ...formatOf(SUMMARY_FORMAT, SUMMARY_VERSION),
    run: RunSchema,
    limits: LimitsSchema.optional(),
    total: OperationSchema.describe('All operations together'),
    operations: z.partialRecord(operation, OperationSchema).describe('Those that occurred'),
    refusals: RefusalsSchema,
    errors: z.array(ErrorSchema).describe('Errors without 429s; sorted by operation, kind and what'),
    messages: MessagesSchema,
    turns: TurnsSchema,
    serviceMinutes: z
      .array(MinuteSchema)
      .describe(
        "Requests by minute of the service's clock, in order of time, including the warm-up; minutes without requests are left out",
      ),
    fullestWindow: FullestWindowSchema.optional(),
    dailyQuota: z
      .array(DaySchema)
      .describe(
        "New messages per UTC day of the service's clock, including the warm-up, without messages whose day is unknown",
      ),
    fullestDay: FullestDaySchema.optional(),
    capWaits: z.partialRecord(z.enum(capNames), CapWaitSchema).describe('Caps that delayed requests'),
    drops: memberOf<SummaryDocument['drops']>('Arrivals that were never started', {
      total: count('Arrivals'),
      byReason: z
        .partialRecord(z.enum(dropReasons), count('Arrivals'))
        .describe(
          'By reason. max-in-flight, cap: a cap with whenFull: drop was full. late: due, and not started in time. no-token: its user had no token, as none was issued or two new ones in a row were refused (401). stopped: the run ended first',
        ),
    }),
    journeys: z.record(z.string(), JourneySchema).describe('By name of the journey'),
    stages: z
      .array(StageSchema)
      .describe('In the order of time; absent if the plan has only one or the journal has none')
      .optional(),
    knee: KneeSchema.optional(),
    expectations: ExpectationsSchema,
    health: HealthSchema,
  },
);

/** The published JSON Schema (draft 2020-12). */
export const summaryJsonSchema = () =>
  publishedSchema(SummarySchema, `spillway summary.json, version ${SUMMARY_VERSION}`);
