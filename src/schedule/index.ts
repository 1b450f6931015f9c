/**
 * schedule/ runs a plan: waits for each arrival's intended time, takes the slots that caps allow, runs journeys step by step,
 * follows the policies for refusals, and stops cleanly. It declares what it needs from outside (World: a clock, a Sender, tokens,
 * followers, a recorder), so that a whole day runs in virtual time as well as over sockets. It must not know HTTP, files,
 * histograms or how the service limits. All waiting is recorded, and nothing is dropped without a record.
 *
 * From the plan to one request: run-plan.ts, journeys/, steps/, policies/ (retries, what a failure ends), exchanges/ (token, slots,
 * connection, one attempt, its record). caps/ are the slots of one thread, shared/ those of all workers; whole/ tests whole runs.
 */

export { type Budget, budgetMemory, budgetOf } from './budget.ts';
export { isKeptHeader } from './exchanges/exchange-record.ts';
export { participantsOf } from './participants.ts';
export { type RunCounts, runPlan, type StopSignals } from './run-plan.ts';
export { type RunShares, runShares } from './shared/shares.ts';
export {
  type EchoGuard,
  type FollowPolling,
  type Lease,
  noEchoes,
  type OpenedStream,
  type Participants,
  type PollSeen,
  type Sender,
  type StreamLease,
  type TokenResult,
  type TokenSource,
  type World,
} from './world.ts';
