import { afterAll } from 'vitest';
import { cleanUpAfterFile } from './leftovers.ts';

/* The test runner evaluates this module before each test file, even if files share modules. */

afterAll(cleanUpAfterFile);
