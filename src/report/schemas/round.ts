import { z } from 'zod';
import type { RoundOf } from '../../history/index.ts';
import { count, memberOf } from './parts.ts';

export const RoundSchema = memberOf<RoundOf>(
  'The round, if the run is one of several, whose gates are judged together in rounds.json; absent for a single run',
  {
    number: count('From 1'),
    of: count('Number of planned rounds'),
    side: z.enum(['base', 'candidate']).describe('base or candidate; base if there is no comparison'),
  },
);
