import type { Summary } from '../collect/index.ts';

/** Whether every refusal was a 429: a profile may name other statuses of refusals (`errorCodes.otherStatuses`). */
export const areAll429 = ({ refusals, total }: Pick<Summary, 'refusals' | 'total'>): boolean =>
  refusals.total === (total.statuses['429'] ?? 0);

/** Title of a column of refusals. @param otherwise a title for other statuses, too; the columns of the terminal are narrow */
export const refusalTitle = (summary: Pick<Summary, 'refusals' | 'total'>, otherwise = '429+'): string =>
  areAll429(summary) ? '429' : otherwise;
