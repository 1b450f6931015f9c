import { z } from 'zod';
import { SUMMARY_FORMAT, SUMMARY_VERSION, type Summary } from '../collect/index.ts';
import type { ColumnDoc } from './exporters/exporter.ts';
import { type JsonSchemaNode, publishedSchema } from './published-schema.ts';
import { count, memberOf } from './schemas/parts.ts';
import { LimitsSchema, RunSchema } from './schemas/run.ts';
import {
  CapWaitSchema,
  DaySchema,
  ErrorSchema,
  ExpectationsSchema,
  HealthSchema,
  JourneySchema,
  MessagesSchema,
  MinuteSchema,
  OperationSchema,
  operation,
  RefusalsSchema,
} from './schemas/sections.ts';
import { TurnsSchema } from './schemas/turns.ts';

/** The shape of `summary.json`. It holds exactly the members of collect's `Summary`: the compiler compares them. */
export const SummarySchema: z.ZodType<Summary> = memberOf<Summary>(
  'Everything measured in one run of spillway; what was not observed is absent, never null or zero',
  {
    format: z.literal(SUMMARY_FORMAT).describe('Names this shape'),
    version: z
      .literal(SUMMARY_VERSION)
      .describe('Changes when a member changes its meaning or goes; new members may come within a version'),
    run: RunSchema,
    limits: LimitsSchema.optional(),
    total: OperationSchema.describe('All operations together'),
    operations: z.partialRecord(operation, OperationSchema).describe('Those that occurred'),
    refusals: RefusalsSchema,
    errors: z.array(ErrorSchema).describe('What went wrong, 429s left out; sorted by operation, kind and what'),
    messages: MessagesSchema,
    turns: TurnsSchema,
    serviceMinutes: z.array(MinuteSchema).describe('In order of time; minutes without requests are left out'),
    dailyQuota: z.array(DaySchema).describe("New messages per UTC day of the service's clock"),
    capWaits: z
      .partialRecord(z.enum(['token', 'openTurns', 'requestsPerMinute', 'inFlight', 'connection']), CapWaitSchema)
      .describe('Caps that made something wait'),
    drops: memberOf<Summary['drops']>('Arrivals that were never started', {
      total: count('Arrivals'),
      byReason: z
        .partialRecord(z.enum(['max-in-flight', 'cap', 'stopped', 'deadline']), count('Arrivals'))
        .describe('By reason'),
    }),
    journeys: z.record(z.string(), JourneySchema).describe('By name of the journey'),
    expectations: ExpectationsSchema,
    health: HealthSchema,
  },
);

/** The published JSON Schema (draft 2020-12). */
export const summaryJsonSchema = () =>
  publishedSchema(SummarySchema, `spillway summary.json, version ${SUMMARY_VERSION}`);

/** Members of `summary.json`, two levels deep, for the README. */
export const summaryMembers: readonly ColumnDoc[] = documentedMembers(summaryJsonSchema());

function documentedMembers(schema: JsonSchemaNode): ColumnDoc[] {
  const resolve = (node: JsonSchemaNode): JsonSchemaNode => {
    const target = node.$ref === undefined ? undefined : schema.$defs?.[node.$ref.replace('#/$defs/', '')];
    return target === undefined ? node : { ...target, ...node };
  };
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]) => {
    const member = resolve(node);
    const inner = Object.entries(member.properties ?? {}).map(([child, leaf]) =>
      documented(`${name}.${child}`, resolve(leaf)),
    );
    return [documented(name, member), ...inner];
  });
}

function documented(name: string, node: JsonSchemaNode): ColumnDoc {
  const description = node.description ?? '';
  const inMicros = description.endsWith(' (µs)');
  return { name, ...(inMicros && { unit: 'µs' }), meaning: inMicros ? description.slice(0, -5) : description };
}
