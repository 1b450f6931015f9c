import { formatCount } from '../../base/index.ts';
import type { Bounds } from '../evidence/bounds.ts';

/** `20 per 60 s per application` @param whose ` per application` */
export const perWindow = ({ max, windowUs }: Bounds, whose: string): string =>
  `${formatCount(max)} per ${Number((windowUs / 1e6).toPrecision(6))} s${whose}`;
