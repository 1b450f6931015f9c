/**
 * api/ describes the partner conversation API (partner-conversation-api.md): the table of its operations, the shapes of requests
 * and answers, the error envelope, the declared limits, and the target profile, which states for a service what the specification
 * leaves open. It also defines a call and its reply independently of the transport. It must not know clients, servers or
 * schedules.
 */
export { answerReaders, readErrorEnvelope, readNamedError, readTurnMessage, shapeFaults } from './answer-readers.ts';
export type {
  ApiCall,
  ApiReply,
  BasicCredentials,
  BodyForm,
  Credentials,
  Prepared,
  StreamEnd,
  StreamEvent,
} from './calls.ts';
export { instantOf } from './date-time.ts';
export { type DefectId, defectIds, type UnobservableDefectId, unobservableDefectIds } from './defect-ids.ts';
export { isRefusal, limitOfRefusal, namesNoOther, saysWhichLimit } from './error-codes.ts';
export { ErrorEnvelope, ErrorMembers, membersLacking } from './errors.ts';
export { quantileOf, sampleLatency } from './latency.ts';
export {
  algorithmOfReading,
  type Day,
  days,
  type LimitName,
  type LimitScope,
  limitDefaults,
  limitNames,
  limitScopes,
  type RateAlgorithm,
  rateAlgorithmNames,
  type SlotKind,
  slidingCounterVariants,
  slotKinds,
} from './limit-kinds.ts';
export { limitSettings } from './limit-settings.ts';
export {
  bearerOperationIds,
  type Operation,
  type OperationId,
  operationIds,
  operations,
  pathOf,
  usualSuccesses,
} from './operations.ts';
export { sandboxProfile, type TargetProfile, TargetProfileSchema, usualProfile } from './profile.ts';
export { codeOfError, type ReadableAcceptance, type ReadableHistory, type ReadableTurn } from './readable.ts';
export { isRepresentable, LAST_INSTANT_MS, sandboxTimeRules, serviceTimeOf } from './service-time.ts';
export {
  Conversation,
  ConversationRequest,
  Feedback,
  FeedbackRequest,
  History,
  SendMessageAccepted,
  SendMessageRequest,
  TokenRequest,
  TokenResponse,
  Turn,
  TurnEvent,
  TurnMessage,
} from './shapes.ts';
export { type TransportChoice, type TransportName, transportChoices } from './transports.ts';
export {
  canonicalUuid,
  DurationText,
  EnvironmentReference,
  isSameUuid,
  LatencyDistribution,
  LONGEST_DURATION,
  longerThanZero,
  RateText,
  timed,
  Uuid,
  wholeNumber,
} from './values.ts';
