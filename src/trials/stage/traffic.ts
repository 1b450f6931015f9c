import { type Draw, drawOf } from '../draw.ts';
import type { Focus } from '../world/knowledge.ts';
import type { Asking, People } from './people.ts';
import type { Person } from './person.ts';
import type { Learnt, Stage } from './stage.ts';

/** The context of a shape of traffic. */
export interface Scene {
  readonly stage: Stage;
  readonly people: People;
  readonly draw: Draw;
  /** Length of the window in focus in run µs; `max` is what it admits. */
  readonly unitUs: number;
  readonly max: number;
  /** Start in run µs. */
  readonly fromUs: number;
  /** Takes one request from the budget; false if none is left. */
  readonly spend: () => boolean;
  readonly what: () => Asking;
  readonly who: () => Person;
  /** Sends a request for a user. @param then called with the answer */
  readonly ask: (asking: Asking, person: Person, then?: (seen: Learnt) => void) => void;
}

/** Mixes of requests, by focus. Repeated items are more frequent. */
const mixes: Readonly<Record<Focus, readonly (readonly Asking[])[]>> = {
  rate: [
    ['read'],
    ['read', 'read', 'read', 'badRead', 'lostRead'],
    ['send', 'send', 'replay', 'poll'],
    ['read', 'send', 'replay', 'changed', 'badSend', 'poll', 'stream', 'create', 'resume', 'token', 'rate'],
  ],
  slots: [['send'], ['send', 'poll'], ['send', 'poll', 'poll', 'stream', 'replay', 'badSend', 'changed']],
  days: [
    ['send'],
    ['send', 'replay'],
    ['send', 'send', 'send', 'replay', 'changed', 'badSend', 'poll', 'read', 'token'],
  ],
  all: [
    ['send', 'send', 'poll', 'read'],
    ['send', 'replay', 'poll', 'stream', 'read', 'badRead', 'rate', 'badSend'],
  ],
};

export const focusMax = ({ world }: Stage): number => {
  const { limits } = world.service.profile;
  return { rate: limits.rate.max, slots: limits.concurrency.max, days: limits.daily.max, all: limits.rate.max }[
    world.service.focus
  ];
};

/** Whose traffic it is, when, and how much. Run µs. */
export interface ScenePart {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly isRecorded: boolean;
  readonly requests: number;
}

/** @param name name of the random stream, so that two scenes of a world differ */
export function sceneOf(stage: Stage, people: People, name: string, part: ScenePart): Scene {
  const { scene, service, unitUs } = stage.world;
  const draw = drawOf(scene, 'traffic', name);
  const mix = draw.pick(mixes[service.focus]);
  // Mostly the same user, so that one bucket fills up.
  const loyalty = draw.pick([0.3, 0.8, 1]);
  let left = part.requests;
  return {
    stage,
    people,
    draw,
    unitUs,
    max: focusMax(stage),
    fromUs: part.fromUs,
    spend: () => stage.now < part.untilUs && left-- > 0,
    what: () => draw.pick(mix),
    who: () => (draw.chance(loyalty) ? (people.persons[0] as Person) : draw.pick(people.persons)),
    ask: (asking, person, then) => people.ask(asking, { person, isRecorded: part.isRecorded }, then),
  };
}
