import type { OperationId } from '../../api/index.ts';
import { type Micros, rememberedOf } from '../../base/index.ts';
import type { Arrival } from '../../plan/index.ts';
import type { Journey, Step } from '../../scenario/index.ts';
import type { Caps, FullCap } from '../caps/caps.ts';
import type { Release } from '../caps/slots.ts';
import type { World } from '../world.ts';

/** Signals that stop the run. `finish`: nothing new starts, and what is open ends normally. `abort`: everything stops at once. */
export interface StopSignals {
  readonly finish: AbortSignal;
  readonly abort: AbortSignal;
}

/** The signal that ends a request's waiting: `finish`, or `abort` if the request follows something that is open. */
export const waitSignal = (
  stop: StopSignals,
  request: { readonly outlastsFinish?: boolean | undefined },
): AbortSignal => (request.outlastsFinish ? stop.abort : stop.finish);

/** The full cap that caused the journey to be dropped; undefined if it was not. */
export const fullCapOf = ({ admission }: JourneyState): FullCap | undefined =>
  admission === 'undecided' || admission === 'granted' ? undefined : admission;

/** An accepted message and the turn that it opened. */
export interface OpenTurn {
  readonly id: string;
  readonly conversation: string;
  /** Gives the slot of the openTurns cap back; may be called twice. */
  readonly finished: Release;
  followed: boolean;
}

/** A message as it was sent, kept for resends. */
export interface SentMessage {
  readonly conversation: string;
  readonly clientMessageId: string;
  readonly text: string;
  /** The text without its nonce; the whole text if it has none. */
  readonly base: string;
  readonly nonce: string | undefined;
  /** Whether JSON writes the text unescaped. */
  readonly isPlain: boolean;
  readonly location?: { readonly city?: string; readonly commune?: string };
}

/**
 * Whether the journey may send. With `whenFull: drop` this is decided once, when its first request can be sent, because parallel
 * requests of one journey take each other's slots. A cap's name: it was full, and nothing is sent.
 */
export type Admission = 'undecided' | 'granted' | FullCap;

/** The state of one running journey; mutable. */
export interface JourneyState {
  readonly world: World;
  readonly caps: Caps;
  readonly stop: StopSignals;
  readonly nextSeq: () => number;
  readonly arrival: Arrival;
  readonly journey: Journey;
  readonly user: World['participants']['users'][number];
  /** How long `noCatchUp` delayed its start, µs; undefined if it did not. */
  readonly heldUs: Micros | undefined;
  /** Whether an exchange of the journey has been recorded. */
  hasSent: boolean;
  /** When the next step is intended: the end of the previous one plus its pause. */
  cursor: Micros;
  /** Index of the running step in the order of execution. */
  step: number;
  /** Innermost repeat's iteration, from 0; undefined outside one. */
  iteration: number | undefined;
  /** The current conversation; undefined before the first. */
  conversation: string | undefined;
  /** The first conversations, as many as one of its bursts may be spread over. */
  readonly conversations: string[];
  readonly turns: OpenTurn[];
  /** Number of turns at which those no longer needed are forgotten. */
  forgetAt: number;
  lastMessage: SentMessage | undefined;
  /** Whether a request could not be sent because the service gave the user no token. */
  lacksToken: boolean;
  admission: Admission;
  /** Assistant message of the last completed turn. */
  answer: string | undefined;
  readonly captured: Record<string, unknown>;
}

/** A journey forgets turns when it has this many more than it needed the last time; later if it needed more than that. */
const FEW_TURNS = 8;

/**
 * Keeps a turn that was opened. In journeys that send messages for hours, turns are forgotten that no step can follow any more
 * and that hold no slot. Looking through them waits until they are twice as many, so it costs a constant time per turn.
 */
export function keepTurn(journey: Pick<JourneyState, 'turns' | 'caps' | 'journey' | 'forgetAt'>, turn: OpenTurn): void {
  const { turns, caps } = journey;
  turns.push(turn);
  if (turns.length < journey.forgetAt) return;
  const isNeeded = caps.openTurns.isUnlimited && !follows(journey.journey) ? () => false : isOpen;
  let kept = 0;
  for (const one of turns) if (one === turn || isNeeded(one)) turns[kept++] = one;
  turns.length = kept;
  journey.forgetAt = kept + Math.max(kept, FEW_TURNS);
}

const isOpen = ({ followed }: OpenTurn): boolean => !followed;

const follows = rememberedOf((journey: Journey): boolean => {
  const does = (step: Step): boolean => ('repeat' in step ? step.repeat.steps.some(does) : 'followTurn' in step);
  return journey.steps.some(does);
});

/** How a step ended. `stop`: the journey ends here, as its policy says; `interrupted`: the run does. */
export type StepEnd =
  | { readonly kind: 'next' }
  | { readonly kind: 'stop'; readonly operation: OperationId; readonly because: string }
  | { readonly kind: 'interrupted' };

/** Receives the end of a step, once, in the same turn of the event loop. */
export interface StepListener {
  ended(end: StepEnd): void;
  /** A defect of this tool; the run ends with it. */
  failed(defect: unknown): void;
}

/** Result of starting a step: its end if it is known at once; a promise of it; or `undefined` if the listener will be called. */
export type StepStart = StepEnd | Promise<StepEnd> | undefined;

export const next: StepEnd = { kind: 'next' };
export const interrupted: StepEnd = { kind: 'interrupted' };
