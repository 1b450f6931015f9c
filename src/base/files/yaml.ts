import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

/** Loaded on first use: every room imports base/, few commands read YAML, and loading it takes as long as starting Node. */
export const yaml = () => createRequire(import.meta.url)('yaml') as typeof Yaml;
