import { createRequire } from 'node:module';
import type * as Library from 'hdr-histogram-js';
import { withTrueHeader } from './histogram-header.ts';

/** Counts of samples by value. Takes some 120 KiB. */
export type Buckets = Library.JsHistogram;

/**
 * Values up to 7 days are distinguished; longer ones share the last bucket, which ends at the maximum. The range is fixed, so that
 * the encoding of a merged histogram equals that of the whole.
 */
export const HIGHEST_US = 7 * 86_400_000_000;

/** Loaded with the first buckets; required, because Node searches a CommonJS package's files for its names when it is imported. */
const library = () => (loaded ??= createRequire(import.meta.url)('hdr-histogram-js') as typeof Library);
let loaded: typeof Library | undefined;

export const emptyBuckets = (): Buckets =>
  library().build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 3,
  }) as Buckets;

/** Compressed HdrHistogram V2, base64. */
export const encodedBuckets = (buckets: Buckets): string =>
  withTrueHeader(library().encodeIntoCompressedBase64(buckets));
