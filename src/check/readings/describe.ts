import { formatDuration } from '../../base/index.ts';
import type { Bounds } from '../bounds.ts';

/** `20 per 60.0 s` */
export const perWindow = ({ max, windowUs }: Bounds): string => `${max} per ${formatDuration(windowUs)}`;
