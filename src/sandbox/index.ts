/**
 * sandbox/ is the embedded service: an implementation of the partner conversation API whose behaviour is known exactly. Its core
 * is a function of (request, now) without HTTP, timers or a clock, so a day can be simulated in a second. Its shell serves the
 * core over real sockets; a run starts it in its own process (shell/process.ts). It may use base/ and api/ only. It must not know
 * who tests it, and especially not check/.
 */

export { problemsIn, type SandboxConfig, type SandboxSettings, settle } from './config.ts';
export { type Core, createCore } from './core.ts';
export { assumedBy, defectDescriptions as defects, describeDefects } from './defects/index.ts';
export { describeFaults, problemOfFault } from './faults/index.ts';
export { type Ids, seededIds } from './ids.ts';
export { latencyForms, parseLatency } from './latency-text.ts';
export type { Answer, BodyDelivery, Outcome, StreamAnswer } from './replies.ts';
export type { SandboxRequest } from './request.ts';

export type { ClockMapping, RunningSandbox } from './shell/index.ts';
export {
  BEGIN,
  type SandboxProcessBegun,
  type SandboxProcessReply,
  type SandboxProcessRequest,
  type SandboxProcessThere,
  STILL_THERE,
} from './shell/process-messages.ts';
export { startSandbox } from './start.ts';
export { WelcomingStore } from './stores/index.ts';
export type { TurnTruth } from './truth.ts';
