import { uuidFrom } from '../../base/index.ts';
import { drawOf } from '../draw.ts';
import { ZONES } from '../world/habits.ts';
import type { Person } from './person.ts';
import { conversationRequest, tokenRequest } from './requests.ts';
import type { Stage } from './stage.ts';

/** Creates users with tokens and conversations. A quarter of the users have two tokens; sometimes users share ids of conversations. */
export function makePersons(stage: Stage, fromUs: number): Person[] {
  const { scene, service, clock, habits } = stage.world;
  const draw = drawOf(scene, 'people');
  const spacing = 2.5 * Math.max(service.rate.windowUs, 1e6);
  const runSpacing = clock.spanOf(spacing);
  const shared = draw.chance(0.15);
  const plans = planned(draw);
  const conversationsOf = (who: string) =>
    Array.from({ length: draw.pick([1, 1, 2]) }, (_, i) => uuidFrom('conversation', scene, shared ? '' : who, i));
  const zoneOf = () => {
    const any = draw.pick(ZONES);
    return habits.zone ?? any;
  };
  const byUser = new Map<string, readonly string[]>();
  const steps: (() => void)[] = [];
  const persons: Person[] = [];
  for (const { application, user, token } of plans) {
    const who = `${application} ${user}`;
    const known = byUser.get(who);
    const conversations = known ?? conversationsOf(who);
    byUser.set(who, conversations);
    steps.push(() => {
      const person = { application, user, conversations };
      const answer = stage.ask(tokenRequest(person, zoneOf()).request);
      const secret = (answer.kind === 'json' && (answer.body as { access_token?: string }).access_token) || '';
      persons.push({ ...person, token, secret });
    });
    if (!known)
      for (const conversation of conversations)
        steps.push(() => {
          const person = persons.find((one) => one.application === application && one.user === user);
          if (person) stage.ask(conversationRequest(person, conversation).request);
        });
  }
  // Far enough apart that no limit refuses any.
  steps.forEach((step, i) => {
    stage.at(fromUs - (steps.length - i) * runSpacing, step);
  });
  return persons;
}

function planned(draw: ReturnType<typeof drawOf>): { application: string; user: string; token: string }[] {
  const applications = draw.pick([['a1'], ['a1'], ['a1', 'a2']]);
  let tokens = 0;
  return applications.flatMap((application) =>
    Array.from({ length: draw.pick([1, 1, 2, 3]) }, (_, i) => `u${i + 1}`).flatMap((user) =>
      Array.from({ length: draw.chance(0.25) ? 2 : 1 }, () => ({ application, user, token: `t${++tokens}` })),
    ),
  );
}
