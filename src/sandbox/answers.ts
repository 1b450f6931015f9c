import { type Random, seededRandom } from '../base/index.ts';

/** The assistant's answer: all of `turn.message` except identifiers and times. */
interface AssistantAnswer {
  readonly text: string;
  readonly cards: readonly Card[];
  readonly visualizations: readonly Visualization[];
  readonly sources: readonly { readonly title: string; readonly url: string }[];
  readonly suggestedActions: readonly { readonly label: string; readonly message: string }[];
}
interface Card {
  readonly type: 'place';
  readonly title: string;
  readonly subtitle: string;
  readonly url: string;
}
interface Visualization {
  readonly type: 'bar';
  readonly title: string;
  readonly points: readonly { readonly label: string; readonly value: number }[];
}

const subjects = [
  'The town hall',
  'The library',
  'The market',
  'The swimming pool',
  'The recycling centre',
  'The tram line',
];
const statements = [
  'opens at nine and closes at six on weekdays',
  'is a ten-minute walk from the station',
  'accepts registrations until the end of the month',
  'was renovated last year and is open again',
  'offers a reduced fare for residents',
  'is closed on public holidays',
];
const remarks = [
  'A proof of address is needed.',
  'Booking ahead is advised.',
  'The service is free of charge.',
  'Opening hours change in summer.',
];
const actions = ['Show opening hours', 'How do I get there?', 'Which documents do I need?', 'Book an appointment'];
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];

const pick = (random: Random, from: readonly string[]): string => from[random.integer(from.length)] ?? '';
const several = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: random.integer(most + 1) }, make);

/** Size of the cache. Clients read the same answer several times within a short time. */
const RECENT_ANSWERS = 1_000;
const recent = new Map<number, { readonly seed: number; readonly answer: AssistantAnswer }>();

/**
 * The answer of a turn. It is a pure function of the seed and the turn's number, so it need not be stored; the most recent
 * answers are cached. It contains nothing of the question.
 */
export function answerOf(seed: number, turnNumber: number): AssistantAnswer {
  const known = recent.get(turnNumber);
  if (known?.seed === seed) return known.answer;
  const answer = composeAnswer(seed, turnNumber);
  recent.set(turnNumber, { seed, answer });
  const [oldest = turnNumber] = recent.keys();
  if (recent.size > RECENT_ANSWERS) recent.delete(oldest);
  return answer;
}

function composeAnswer(seed: number, turnNumber: number): AssistantAnswer {
  const random = seededRandom(seed, 'answer', turnNumber);
  const sentences = Array.from(
    { length: 2 + random.integer(4) },
    () => `${pick(random, subjects)} ${pick(random, statements)}.`,
  );
  return {
    text: [...sentences, pick(random, remarks)].join(' '),
    cards: several(random, 2, () => card(random)),
    visualizations: several(random, 1, () => ({
      type: 'bar' as const,
      title: `Visitors of ${pick(random, subjects).toLowerCase()}`,
      points: days.map((label) => ({ label, value: random.integer(500) })),
    })),
    sources: several(random, 2, () => {
      const page = random.integer(1_000);
      return { title: `Municipal page ${page}`, url: `https://city.example/pages/${page}` };
    }),
    suggestedActions: several(random, 2, () => {
      const action = pick(random, actions);
      return { label: action, message: action };
    }),
  };
}

function card(random: Random): Card {
  const place = random.integer(1_000);
  return {
    type: 'place',
    title: pick(random, subjects),
    subtitle: pick(random, statements),
    url: `https://city.example/places/${place}`,
  };
}

/** Splits the text into pieces of at most four words. Joined, the pieces equal the text. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/(?:\S+\s*){1,4}/g) ?? [];
}
