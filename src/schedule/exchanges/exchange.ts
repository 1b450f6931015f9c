import type { ApiReply } from '../../api/index.ts';
import { nothingTaken } from '../caps/slots.ts';
import type { JourneyState } from '../journeys/journey-state.ts';
import type { Lease } from '../world.ts';
import { type Issue, renewalRequest } from './access.ts';
import type { Attempt, AttemptListener, Timing } from './attempt.ts';
import { callOf, finish, frameOf } from './conclude.ts';
import { type Entered, enter, enterAtOnce } from './enter.ts';
import type { Request } from './request.ts';

/**
 * Sends one request once: token, slots in the order that cannot deadlock, connection, socket. Records the exchange with every
 * wait. Never retries, and never throws for what a service does. Calls a listener instead of resolving a promise: at a hundred
 * thousand requests a second, chains of promises cost more than the socket.
 */
export function exchangeOnce(journey: JourneyState, request: Request, timing: Timing, listener: AttemptListener): void {
  const entered = enterAtOnce(journey, request);
  if (entered) return send(journey, request, timing, entered, listener);
  const issue = issuing(journey, request, timing);
  enter({ journey, request, issue, acquire: (sender, signal) => sender.acquire(signal) })
    .then((entered) => {
      if (entered.kind === 'entered') send(journey, request, timing, entered, listener);
      else listener.ended(entered);
    })
    .catch((defect: unknown) => listener.failed(defect));
}

function send(
  journey: JourneyState,
  request: Request,
  timing: Timing,
  entered: Entered<Lease>,
  listener: AttemptListener,
): void {
  const frame = frameOf(journey, request, entered, timing);
  const call = callOf(journey, request, entered, frame);
  const onReply = (received: ApiReply) => {
    try {
      const reply = journey.world.echoes.reply(call, received);
      const exchange = finish(journey, request, frame, reply, timing);
      entered.inFlight();
      const holdsTurn = request.opensTurn && exchange.turn !== undefined;
      if (!holdsTurn) entered.openTurn();
      listener.ended({ kind: 'sent', reply, exchange, turnFinished: holdsTurn ? entered.openTurn : nothingTaken });
    } catch (defect) {
      listener.failed(defect);
    }
  };
  try {
    entered.lease.send(call, journey.stop.abort, onReply);
  } catch (defect) {
    listener.failed(defect);
  }
}

/** Sends the token request for a user without a token, as a separate exchange before this one. */
export const issuing =
  (journey: JourneyState, { outlastsFinish }: Request, { intendedAt, unsent = 0 }: Timing): Issue =>
  async (neededAt = intendedAt) => {
    const request = renewalRequest(journey, outlastsFinish);
    const attempt = await new Promise<Attempt>((ended, failed) =>
      exchangeOnce(journey, request, { intendedAt: neededAt, attempt: unsent + 1 }, { ended, failed }),
    );
    return attempt.kind === 'sent' ? attempt.reply : undefined;
  };
