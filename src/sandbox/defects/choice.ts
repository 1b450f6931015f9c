import {
  type DefectId,
  defectIds,
  type LimitName,
  type UnobservableDefectId,
  unobservableDefectIds,
} from '../../api/index.ts';
import { nearest } from '../../base/index.ts';
import type { SandboxConfig } from '../config/members.ts';
import { defects, unobservable } from './registry.ts';

const isDefect = (text: unknown): text is DefectId => (defectIds as readonly unknown[]).includes(text);
const isUnobservable = (text: string): text is UnobservableDefectId =>
  (unobservableDefectIds as readonly string[]).includes(text);

/** The items of a list that are ids of defects. */
export const chosenDefects = (list: unknown): readonly DefectId[] => (Array.isArray(list) ? list.filter(isDefect) : []);

/** @returns why the text is no id of a defect; undefined if it is one */
export function problemWith(text: string): string | undefined {
  if (isDefect(text)) return undefined;
  if (isUnobservable(text)) return `${text} cannot be chosen: ${unobservable[text]}`;
  // Ids are so short that any is similar to any other; so only ids with the same letter are suggested.
  const family = defectIds.filter((id) => id.charAt(0) === text.charAt(0).toUpperCase());
  const guess = nearest(text, family);
  return `there is no defect "${text}"${guess === undefined ? `; there are ${defectIds.join(', ')}` : `, did you mean ${guess}?`}`;
}

/** Why chosen defects could not show under otherwise valid settings, by index in the list. */
export function problemsWith(config: Pick<SandboxConfig, 'defects' | 'limits'>): ReadonlyMap<number, string> {
  const problems = new Map<number, string>();
  for (const [index, id] of config.defects.entries()) {
    // Unknown ids have been reported already.
    if (!isDefect(id)) continue;
    const lack = config.defects.indexOf(id) < index ? 'is given twice' : lacks(id, config.limits);
    if (lack !== undefined) problems.set(index, `${id} ${lack}`);
  }
  return problems;
}

function lacks(id: DefectId, limits: SandboxConfig['limits']): string | undefined {
  const { limit, requires: { algorithm, day, slot, lacks: more } = {} } = defects[id];
  if (limit !== undefined && limits[limit].length === 0) return `breaks ${names[limit]}, but there is none`;
  if (algorithm && !limits.rate.some((rate) => algorithm.includes(rate.algorithm))) {
    return `is a defect of ${algorithm.join(' or ')}, but limits.rate is ${limits.rate.map((each) => each.algorithm).join(', ')}`;
  }
  if (day && !limits.daily.some((daily) => day.includes(daily.day))) {
    return `is a defect of a day by ${day.join(' or ')}, but limits.daily is ${limits.daily.map((each) => each.day).join(', ')}`;
  }
  // If other settings are wrong, defaults may not be filled in.
  if (slot && limits.concurrency.every((slots) => (slots.slot ?? slot) !== slot)) {
    return `is a defect of slots held ${slot}, but limits.concurrency is ${limits.concurrency.map((each) => each.slot).join(', ')}`;
  }
  return more?.(limits);
}

const names: Readonly<Record<LimitName, string>> = {
  rate: 'the rate limit',
  concurrency: 'the limit of slots',
  daily: 'the daily quota',
};
