import { z } from 'zod';
import { limitNames } from '../../api/index.ts';
import type {
  Arc,
  Arcs,
  Certificate,
  ExchangeRef,
  OverAdmission,
  ScopeLabels,
  WrongfulRefusal,
} from '../../check/index.ts';
import { count, memberOf, objectOf, share, text } from './parts.ts';

export const ExchangeRefSchema = z.union([z.int().min(0), z.string().regex(/^\d+:\d+$/)]).meta({
  id: 'Exchange',
  description: 'seq of an exchange; worker:seq in a history of several workers',
}) as unknown as z.ZodType<ExchangeRef>;

const exchanges = (description: string) => z.array(ExchangeRefSchema).describe(description);
/** Run or service time. Service times may be fractional or negative. JSON has no infinity, so null stands for it. */
const instant = (description: string) =>
  z.number().nullable().describe(`${description} (µs); null: without end`) as unknown as z.ZodType<number>;

const ScopeSchema = memberOf<ScopeLabels>('Bucket of the attempts; absent members do not divide them', {
  application: text('Label').optional(),
  user: text('Label').optional(),
  token: text('Label').optional(),
  conversation: text('Identifier').optional(),
  operation: text('Operation').optional(),
});

const common = {
  limit: z.enum(limitNames).describe('The limit'),
  reading: text('The refuted reading; every: all readings'),
  scope: ScopeSchema,
  counts: text('Which attempts count'),
  max: count('The declared N'),
  windowUs: instant('The declared window W, service time'),
  fromUs: instant('Run time at which the first of the exchanges was sent'),
  toUs: instant('Run time at which the last of them was decided'),
  claim: text('One sentence'),
};

const OverAdmissionSchema = objectOf<OverAdmission>(
  'OverAdmission',
  'More requests were admitted than the reading allows, or one while a refusal blocks; every exchange is necessary for the proof',
  {
    ...common,
    rule: text('Name of the rule by which a verifier checks the proof') as unknown as z.ZodType<OverAdmission['rule']>,
    because: z
      .enum(['over-admission', 'inconsistent'])
      .describe('What is proven; inconsistent: one of the exchanges was refused, which may be what was wrong'),
    spanUs: share('From the first possible decision to the last, service µs'),
    observed: count(
      'Number of admitted requests; with refused ones for the rules `sliding-log-attempts` and `fixed-window-penalty-block`',
    ),
    possible: share(
      'Maximum of them that the reading allows in such a span; for `fixed-window-penalty-block`, that it explains together',
    ),
    exchanges: exchanges('The exchanges that `observed` counts'),
  },
);

const ArcSchema = z
  .union([
    memberOf<Extract<Arc, { says: 'boundary-within' }>>(
      'm × N + 1 requests were admitted within less than m windows (nearly always m = 1), so m windows begin among them, the first in this arc; nowhere if it ends before it begins',
      {
        says: z.literal('boundary-within').describe('Kind of the arc'),
        fromUs: instant('After this'),
        toUs: instant('Up to this'),
        exchanges: exchanges('The admitted exchanges'),
      },
    ),
    memberOf<Extract<Arc, { says: 'no-boundary-within' }>>(
      'A refusal with too few requests, or too little weight, since then: no window begins in this arc',
      {
        says: z.literal('no-boundary-within').describe('Kind of the arc'),
        fromUs: instant('After this'),
        toUs: instant('Up to this'),
        refusal: ExchangeRefSchema,
        exchanges: exchanges('All exchanges that may have counted'),
      },
    ),
    memberOf<Extract<Arc, { says: 'overfull-with-boundary-within' }>>(
      'Sliding counter: if a window began in this arc, more requests would have been admitted than possible',
      {
        says: z.literal('overfull-with-boundary-within').describe('Kind of the arc'),
        fromUs: instant('After this'),
        toUs: instant('Before this'),
        exchanges: exchanges(
          'Some exchanges of the previous window, and those admitted in the window up to the last of them',
        ),
      },
    ),
    memberOf<Extract<Arc, { says: 'aligned' }>>("Windows are aligned to the service's clock", {
      says: z.literal('aligned').describe('Kind of the arc'),
      fromUs: instant('After this'),
      toUs: instant('Up to this'),
    }),
  ])
  .meta({
    id: 'Arc',
    description: 'What one piece of evidence says about where a window begins; service time since run time 0',
  });

const ArcsSchema = objectOf<Arcs>('Arcs', 'No position of the windows agrees with all of these arcs', {
  ...common,
  rule: text('Name of the rule') as unknown as z.ZodType<Arcs['rule']>,
  because: z.enum(['over-admission', 'wrongful-refusal', 'inconsistent']).describe('What is proven'),
  arcs: z.array(ArcSchema).describe('Each is necessary for the proof'),
  exchanges: exchanges('All exchanges of the arcs'),
});

const WrongfulRefusalSchema = objectOf<WrongfulRefusal>(
  'WrongfulRefusal',
  'A refusal although too few requests can have counted',
  {
    ...common,
    rule: text('Name of the rule') as unknown as z.ZodType<WrongfulRefusal['rule']>,
    because: z.literal('wrongful-refusal').describe('What is proven'),
    refusal: ExchangeRefSchema,
    lookBackUs: instant('How far back the service may look, service time'),
    observed: count(
      'Maximum that may have counted at any instant at which the refusal may have been decided; without refused requests for the rules `wrongful-first-refusal…`',
    ),
    needed: share('Minimum that can cause a refusal'),
    exchanges: exchanges('All exchanges that may have counted within the look-back'),
  },
);

export const CertificateSchema: z.ZodType<Certificate> = z
  .union([OverAdmissionSchema, ArcsSchema, WrongfulRefusalSchema])
  .meta({ id: 'Certificate', description: 'A proof that can be checked against the journal' });
export { WrongfulRefusalSchema };
