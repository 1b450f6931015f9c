import { drawOf } from '../draw.ts';
import type { People } from './people.ts';
import type { Stage } from './stage.ts';

/** Maximum of renewals, all in the first windows of a run. */
const MOST_TIMES = 3;

/** Revokes tokens of users, or renews them early, depending on the world. */
export function renewTokens(stage: Stage, people: People): void {
  const { scene, habits, unitUs } = stage.world;
  if (habits.renewal === 'never') return;
  const draw = drawOf(scene, 'renewals');
  for (let time = draw.whole(1, MOST_TIMES); time > 0; time--) {
    const [at, number] = [draw.between(0, 2.5) * unitUs, draw.pick([0, 0, 1, 2])];
    stage.at(at, () => {
      const person = people.persons[number];
      if (!person) return;
      if (habits.renewal === 'eager') people.renew({ person, isRecorded: true });
      else stage.core.revoke({ token: person.secret }, stage.decisions.at(stage.now));
    });
  }
}
