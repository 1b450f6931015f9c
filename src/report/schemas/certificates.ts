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
/** Run or service time; service times need not be whole, and none is bounded below. JSON has no infinity. */
const instant = (description: string) =>
  z.number().nullable().describe(`${description} (µs); null: without end`) as unknown as z.ZodType<number>;

const ScopeSchema = memberOf<ScopeLabels>('Whose attempts: what is absent does not divide them', {
  application: text('Label').optional(),
  user: text('Label').optional(),
  token: text('Label').optional(),
  conversation: text('Identifier').optional(),
  operation: text('Operation').optional(),
});

const common = {
  limit: z.enum(limitNames).describe('The limit'),
  reading: text('The reading that it refutes; every: no reading allows it'),
  scope: ScopeSchema,
  counts: text('What counts'),
  max: count('N, as declared'),
  windowUs: instant('W, as declared, service time'),
  fromUs: instant('Run time: the first of the exchanges was sent'),
  toUs: instant('Run time: the last of them was decided'),
  claim: text('One sentence'),
};

const OverAdmissionSchema = objectOf<OverAdmission>(
  'OverAdmission',
  'More were admitted than can be; without any one of the exchanges the proof fails',
  {
    ...common,
    rule: text('Name of the rule, by which a verifier evaluates it again') as unknown as z.ZodType<
      OverAdmission['rule']
    >,
    because: z.literal('over-admission').describe('What is proven'),
    spanUs: share('From the first possible decision to the last, service µs'),
    observed: count('Admitted'),
    possible: share('The most that the reading admits in such a span'),
    exchanges: exchanges('Those that were admitted'),
  },
);

const ArcSchema = z
  .union([
    memberOf<Extract<Arc, { says: 'boundary-within' }>>(
      'N + 1 admitted within less than a window: one begins in here',
      {
        says: z.literal('boundary-within').describe('What it says'),
        fromUs: instant('After this'),
        toUs: instant('Up to this'),
        exchanges: exchanges('Those that were admitted'),
      },
    ),
    memberOf<Extract<Arc, { says: 'no-boundary-within' }>>(
      'Refused with too few since, or too little weight: no window begins in here',
      {
        says: z.literal('no-boundary-within').describe('What it says'),
        fromUs: instant('After this'),
        toUs: instant('Up to this'),
        refusal: ExchangeRefSchema,
        exchanges: exchanges('Everything that may have counted'),
      },
    ),
    memberOf<Extract<Arc, { says: 'overfull-with-boundary-within' }>>(
      'Of a sliding counter: with a window that begins in here, more were admitted than can be',
      {
        says: z.literal('overfull-with-boundary-within').describe('What it says'),
        fromUs: instant('After this'),
        toUs: instant('Before this'),
        exchanges: exchanges(
          'Some of the window before, and those of the window that were admitted up to the last of them',
        ),
      },
    ),
    memberOf<Extract<Arc, { says: 'aligned' }>>("Windows are aligned to the service's clock", {
      says: z.literal('aligned').describe('What it says'),
      fromUs: instant('After this'),
      toUs: instant('Up to this'),
    }),
  ])
  .meta({
    id: 'Arc',
    description: 'What one piece of evidence says of where a window begins, service time since run time 0',
  });

const ArcsSchema = objectOf<Arcs>('Arcs', 'No position of the windows agrees with all of these arcs', {
  ...common,
  rule: text('Name of the rule') as unknown as z.ZodType<Arcs['rule']>,
  because: z.enum(['over-admission', 'wrongful-refusal', 'inconsistent']).describe('What is proven'),
  arcs: z.array(ArcSchema).describe('Without any one of them the proof fails'),
  exchanges: exchanges('All that they rest on'),
});

const WrongfulRefusalSchema = objectOf<WrongfulRefusal>('WrongfulRefusal', 'A refusal that too few can have caused', {
  ...common,
  rule: text('Name of the rule') as unknown as z.ZodType<WrongfulRefusal['rule']>,
  because: z.literal('wrongful-refusal').describe('What is proven'),
  refusal: ExchangeRefSchema,
  lookBackUs: instant('How far back the service may look, service time'),
  observed: count('The most that may have counted at any instant at which it may have been decided'),
  needed: share('Fewer than this cannot cause a refusal'),
  exchanges: exchanges('Everything that may have counted in its look-back'),
});

export const CertificateSchema: z.ZodType<Certificate> = z
  .union([OverAdmissionSchema, ArcsSchema, WrongfulRefusalSchema])
  .meta({ id: 'Certificate', description: 'A proof that anybody can check against the journal' });
export { WrongfulRefusalSchema };
