import type { Micros } from '../base/index.ts';
import type { ClosedLoadModel } from '../scenario/index.ts';
import type { Arrival } from './arrivals.ts';
import { choiceAmong } from './journey-choice.ts';
import { type ActiveTime, type ClosedUser, loadModelOf } from './load-models/index.ts';
import type { Source } from './sources.ts';

/** A user of a closed model, who runs journeys one after another. Iteration j is the arrival `firstIndex + j × indexStep`. */
export interface Loop {
  readonly firstIndex: number;
  readonly indexStep: number;
  readonly phase: string;
  /** Index of the user; the same for all its journeys. */
  readonly user: number;
  /** When it may start journeys, on the run's clock; in order of time. */
  readonly active: readonly ActiveTime[];
  /** Most journeys; absent: its active time or its stock limits them. */
  readonly iterations?: number;
  /** If present, iterations are taken from this stock instead of being counted by the loop itself. */
  readonly stock?: Stock;
  readonly think: ClosedLoadModel['think'];
  /** The journey of an arrival, by its index. */
  readonly journeyOf: (index: number) => string;
}

/** Iterations that several users share: each free user takes the next one. */
export interface Stock {
  /** 0, 1, … in the order of the file. */
  readonly number: number;
  readonly iterations: number;
  /** Index of iteration 0. Iterations have the indices that its users' own iterations would have if the users took turns. */
  readonly firstIndex: number;
  readonly users: number;
}

/** Whether users go on until a time comes, so that a service that answers faster is sent more. */
export const goesOn = ({ loops }: { readonly loops: readonly Loop[] }): boolean =>
  loops.some(({ active }) => active.some(({ untilUs }) => untilUs !== undefined));

/** The users of all closed models. Their arrivals are numbered after those of open models, one iteration of each user in turn. */
export function loopsOf(sources: readonly Source[], arrivalCount: number, users: number, seed: number): Loop[] {
  const groups = sources.flatMap((source) => {
    const { model } = source;
    return 'think' in model ? [{ source, model, members: loadModelOf(model).users(model) }] : [];
  });
  const indexStep = groups.reduce((sum, { members }) => sum + members.length, 0);
  let firstIndex = arrivalCount;
  return groups.flatMap(({ source, model, members }, number) => {
    const shared = loadModelOf(model).sharedIterations?.(model);
    const stock =
      shared === undefined ? {} : { stock: { number, iterations: shared, firstIndex, users: members.length } };
    const choice = choiceAmong(source.choice, seed);
    return members.flatMap((user, member): Loop[] => {
      const index = firstIndex++;
      const { onlyUsers } = source;
      const active = activeIn(source, user);
      if (active.length === 0) return [];
      return [
        {
          firstIndex: index,
          indexStep,
          phase: source.phase,
          user: onlyUsers?.[member % onlyUsers.length] ?? (index - arrivalCount) % users,
          active,
          ...(user.iterations !== undefined && { iterations: user.iterations }),
          ...stock,
          think: model.think,
          journeyOf: choice,
        },
      ];
    });
  });
}

/** The active times of a user on the run's clock, cut off at the end of the phase. */
function activeIn(source: Source, user: ClosedUser): ActiveTime[] {
  return user.active.flatMap(({ fromUs, untilUs = Number.POSITIVE_INFINITY }) => {
    const from = (source.startUs + fromUs) as Micros;
    const until = Math.min(source.startUs + untilUs, source.endUs);
    if (from >= until) return [];
    return [{ fromUs: from, ...(until === Number.POSITIVE_INFINITY ? {} : { untilUs: until as Micros }) }];
  });
}

/** The arrival of an iteration of a loop, or of its stock if it has one. */
export function arrivalOfLoop(loop: Loop, iteration: number, intendedAt: Micros): Arrival {
  const { stock, indexStep } = loop;
  const index =
    stock === undefined
      ? loop.firstIndex + iteration * indexStep
      : stock.firstIndex + (iteration % stock.users) + Math.floor(iteration / stock.users) * indexStep;
  return { index, intendedAt, phase: loop.phase, journey: loop.journeyOf(index), user: loop.user };
}
