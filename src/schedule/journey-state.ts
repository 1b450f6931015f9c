import type { OperationId } from '../api/index.ts';
import { type Micros, rememberedOf } from '../base/index.ts';
import type { Arrival } from '../plan/index.ts';
import type { Journey, Step } from '../scenario/index.ts';
import type { Caps, FullCap, Release } from './caps.ts';
import type { World } from './world.ts';

/** How the run is told to stop. `finish`: start nothing new, end what is open. `abort`: at once. */
export interface StopSignals {
  readonly finish: AbortSignal;
  readonly abort: AbortSignal;
}

/** What ends a request's waiting for its slots: a gentle stop, unless the request sees the end of what is open. */
export const patience = (stop: StopSignals, request: { readonly outlastsFinish?: boolean | undefined }): AbortSignal =>
  request.outlastsFinish ? stop.abort : stop.finish;

/** The cap for whose sake nothing of the journey is sent. */
export const fullCapOf = ({ admission }: JourneyState): FullCap | undefined =>
  admission === 'unasked' || admission === 'granted' ? undefined : admission;

/** A message that was accepted, and the turn that it opened. */
export interface OpenTurn {
  readonly id: string;
  readonly conversation: string;
  /** Gives the slot of the openTurns cap back; harmless when called twice. */
  readonly finished: Release;
  followed: boolean;
}

/** A message as it was sent, kept for resends. */
export interface SentMessage {
  readonly conversation: string;
  readonly clientMessageId: string;
  readonly text: string;
  /** What the text is without its nonce; the text itself where it has none. */
  readonly base: string;
  readonly nonce: string | undefined;
  /** Whether JSON writes the text as it is. */
  readonly isPlain: boolean;
  readonly location?: { readonly city?: string; readonly commune?: string };
}

/**
 * Whether it may wait for caps. Where what finds one full is dropped, that is asked when its first request could be sent, once for
 * the whole journey: requests side by side would find their own siblings' slots taken. A cap: it was full, and nothing is sent.
 */
export type Admission = 'unasked' | 'granted' | FullCap;

/** What a journey knows while it runs. Mutable on purpose: it is one user's memory, owned by one journey. */
export interface JourneyState {
  readonly world: World;
  readonly caps: Caps;
  readonly stop: StopSignals;
  readonly nextSeq: () => number;
  readonly arrival: Arrival;
  readonly journey: Journey;
  readonly user: World['participants']['users'][number];
  /** How long a ceiling (`noCatchUp`) held its start back; undefined when none did. */
  readonly heldUs: Micros | undefined;
  /** Whether an exchange of it has been recorded. */
  hasSent: boolean;
  /** When the next step is intended: the end of the previous one plus its pause. */
  cursor: Micros;
  /** Index of the running step in the order of execution. */
  step: number;
  /** Innermost repeat's iteration, from 0; undefined outside one. */
  iteration: number | undefined;
  /** The current one; undefined before the first. */
  conversation: string | undefined;
  /** The first ones, as many as a burst of it may be spread over. */
  readonly conversations: string[];
  readonly turns: OpenTurn[];
  lastMessage: SentMessage | undefined;
  /** A request could not be sent, because the service gave the user no token. */
  lacksToken: boolean;
  admission: Admission;
  /** Assistant message of the last completed turn. */
  answer: string | undefined;
  readonly captured: Record<string, unknown>;
}

/** After so many turns of one journey, a look at which of them are still needed. */
const LOOK_AFTER_TURNS = 8;

/**
 * Keeps a turn that was opened. Of a journey that sends messages for hours, those are forgotten that no step can follow any
 * more and that hold no slot.
 */
export function keepTurn(journey: JourneyState, turn: OpenTurn): void {
  const { turns, caps } = journey;
  turns.push(turn);
  if (turns.length % LOOK_AFTER_TURNS !== 0) return;
  const isNeeded = caps.openTurns.isUnlimited && !followsAll(journey.journey) ? () => false : isOpen;
  const kept = turns.filter((one) => one === turn || isNeeded(one));
  turns.length = 0;
  turns.push(...kept);
}

const isOpen = ({ followed }: OpenTurn): boolean => !followed;

const followsAll = rememberedOf((journey: Journey): boolean => {
  const does = (step: Step): boolean =>
    'repeat' in step ? step.repeat.steps.some(does) : 'followTurn' in step && step.followTurn.turns === 'all';
  return journey.steps.some(does);
});

/** How a step ended. `stop`: the journey ends here, as its policy says; `interrupted`: the run does. */
export type StepEnd =
  | { readonly kind: 'next' }
  | { readonly kind: 'stop'; readonly operation: OperationId; readonly because: string }
  | { readonly kind: 'interrupted' };

/** Who is told, once, how a step ended: in the turn in which that is known. */
export interface StepListener {
  ended(end: StepEnd): void;
  /** A defect of ours; the run ends with it. */
  failed(defect: unknown): void;
}

/** What starting a step gives: its end, where that is known at once, or a promise of it; `undefined`: its listener is told. */
export type StepStart = StepEnd | Promise<StepEnd> | undefined;

export const next: StepEnd = { kind: 'next' };
export const interrupted: StepEnd = { kind: 'interrupted' };
