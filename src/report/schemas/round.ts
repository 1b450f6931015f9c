import { z } from 'zod';
import type { RoundOf } from '../../history/index.ts';
import { count, memberOf } from './parts.ts';

export const RoundSchema = memberOf<RoundOf>(
  'Which round of several the run is: their gates are judged together, in rounds.json. Absent for a run by itself',
  {
    number: count('From 1'),
    of: count('How many rounds there were to be'),
    side: z.enum(['base', 'candidate']).describe('Of a comparison; base where there is none'),
  },
);
