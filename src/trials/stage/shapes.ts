import type { Learnt } from './stage.ts';
import type { Scene } from './traffic.ts';

/** Sends one request of the scene. */
const one = (scene: Scene, then?: (seen: Learnt) => void) => {
  if (scene.spend()) scene.ask(scene.what(), scene.who(), then);
};

/** Bursts of sizes around the limit, with pauses around the window. */
function bursts(scene: Scene): void {
  const { draw, unitUs, max, stage } = scene;
  const jitter = unitUs * draw.pick([0, 0, 0.001, 0.05]);
  const sizes = [1, Math.max(1, max - 1), max, max + 1, 2 * max, 2 * max + 1, Math.ceil(max / 2)];
  const pauses = [0.01, 1 / max, 0.5, 0.95, 0.999, 1, 1.000_001, 1.01, 1.05, 2, 2.5];
  let at = scene.fromUs;
  for (let k = 0; k < 12; k++) {
    for (let i = draw.pick(sizes); i > 0; i--) stage.at(at + draw.random.next() * jitter, () => one(scene));
    at += unitUs * draw.pick(pauses);
  }
}

/** A steady rate below or above the limit. */
function steady(scene: Scene): void {
  const { draw, unitUs, max, stage } = scene;
  const gap = unitUs / max / draw.pick([0.5, 0.9, 1.1, 2, 5]);
  const even = draw.chance(0.4);
  let at = scene.fromUs;
  for (let k = 0; k < 80; k++) {
    stage.at(at, () => one(scene));
    at += even ? gap : draw.wait(gap);
  }
}

/** Clients that wait for each answer. Some obey Retry-After exactly, some retry at once. */
function closedLoop(scene: Scene): void {
  const { draw, unitUs, max, stage } = scene;
  const think = (unitUs / max) * draw.pick([0, 0.01, 0.3, 1]);
  const obedience = draw.pick([0, 0.5, 1]);
  const clients = draw.pick([1, 1, 2, max + 1]);
  const rounds = Math.ceil((10 * max + 40) / clients);
  const { clock } = stage.world;
  const go = (left: number) => {
    if (left === 0) return;
    one(scene, ({ exchange: { retryAfter }, at }) => {
      const seconds = Number(retryAfter ?? Number.NaN);
      const obeys = seconds >= 0 && draw.chance(obedience);
      const pause = obeys ? clock.spanOf(seconds * 1e6) : draw.wait(think);
      stage.at(at + pause, () => go(left - 1));
    });
  };
  for (let client = 0; client < clients; client++)
    stage.at(scene.fromUs + draw.wait(think) * client, () => go(Math.min(rounds, 60)));
}

/** As many requests as the limit allows, or more, on both sides of each boundary of the service's windows or days. */
function edges(scene: Scene): void {
  const { draw, unitUs, max, stage } = scene;
  const { clock, service } = stage.world;
  const windowUs = service.windowUs;
  const phaseUs = service.focus === 'days' ? draw.pick([0, 3_600e6, -19_800e6, 5 * 3_600e6]) : service.rate.phaseUs;
  const first = (Math.floor((clock.at(scene.fromUs) - phaseUs) / windowUs) + 1) * windowUs + phaseUs;
  for (let k = 0; k < 5; k++) {
    const boundary = clock.runAt(first + k * windowUs);
    const reach = unitUs * draw.pick([1e-6, 1e-4, 0.01, 0.1]);
    const count = draw.pick([max, max + 1, 2 * max]);
    for (let i = 0; i < count; i++) {
      stage.at(boundary - draw.random.next() * reach, () => one(scene));
      stage.at(boundary + draw.random.next() * reach, () => one(scene));
    }
  }
}

/** An experiment that distinguishes most algorithms. */
function probe(scene: Scene): void {
  const { unitUs, max, stage, draw } = scene;
  const steps = [
    [0, Math.ceil(max / 4)],
    [0.95, max],
    [1.052, Math.ceil(max / 2) + 1],
    [2.017, Math.ceil(max / 2)],
  ] as const;
  const times = draw.pick([1, 2]);
  for (let time = 0; time < times; time++)
    for (const [at, count] of steps)
      for (let i = 0; i < count; i++) stage.at(scene.fromUs + unitUs * (at + time * 4.33), () => one(scene));
}

/** Messages, each followed to its end by polls or a stream. The next one is sent as soon as the end is seen. */
function chat(scene: Scene): void {
  const { draw, stage, people } = scene;
  const pollUs = stage.world.clock.spanOf(draw.pick([0.05, 0.3, 2]) * 1e6);
  const side = draw.pick([1, scene.max, scene.max + 1, scene.max + 1, 4]);
  const talk = (left: number) => {
    if (left === 0 || !scene.spend()) return;
    const person = scene.who();
    scene.ask('send', person, ({ exchange, at }) => {
      const turn = people.turns.find(({ id }) => id === exchange.turn?.id);
      if (draw.chance(0.2) && scene.spend()) scene.ask('replay', person);
      if (turn && draw.chance(0.3) && scene.spend()) scene.ask('stream', person);
      const again = () => talk(left - 1);
      const poll = () => {
        if (!turn || turn.isOver || !scene.spend()) return again();
        scene.ask('poll', person, (seen) => stage.at(seen.at + pollUs, poll));
      };
      if (turn) stage.at(at + pollUs, poll);
      else stage.at(at + draw.wait(pollUs), again);
    });
  };
  for (let i = 0; i < Math.min(side, 6); i++) stage.at(scene.fromUs + draw.pick([0, draw.wait(pollUs)]), () => talk(8));
}

/** Messages whose turns are not followed; some are polled much later, before the next messages. */
function neglect(scene: Scene): void {
  const { draw, stage, unitUs } = scene;
  const turnUs = stage.world.clock.spanOf(draw.pick([0.05, 1, 5]) * 1e6);
  const pauses = [0, 0.3 * turnUs, turnUs, 3 * turnUs, 10 * turnUs, unitUs];
  let at = scene.fromUs;
  for (let round = 0; round < 10; round++) {
    for (let i = draw.whole(1, scene.max + 1); i > 0; i--)
      stage.at(at + draw.wait(0.01 * turnUs), () => scene.spend() && scene.ask('send', scene.who()));
    at += draw.pick(pauses);
    for (let i = draw.whole(0, 2); i > 0; i--)
      stage.at(at, () => scene.spend() && scene.ask(draw.pick(['poll', 'poll', 'stream']), scene.who()));
    at += draw.pick(pauses);
  }
}

/** Shapes of traffic, by name. */
export const shapes: Readonly<Record<string, (scene: Scene) => void>> = {
  bursts,
  steady,
  closedLoop,
  edges,
  probe,
  chat,
  neglect,
};
