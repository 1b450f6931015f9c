import { afterAll } from 'vitest';
import { cleanUpAfterFile } from './leftovers.ts';

/* The test runner evaluates this one before each file of tests, also where the files share their modules. */

afterAll(cleanUpAfterFile);
