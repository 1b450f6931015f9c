import type { Exchange, MessageSent, TurnSeen } from '../records.ts';
import { asciiJson } from './ascii-json.ts';

/**
 * The line of an exchange, as JSON.stringify would write it, except for the order of members and for escapes beyond visible
 * ASCII. Several times as fast, because the members and the plain identifiers among them are known here. Members that differ
 * little between exchanges come first, so that a template can hold them (line-template.ts).
 */

type WrittenHere =
  | 'kind'
  | 'seq'
  | 'worker'
  | 'operation'
  | 'application'
  | 'user'
  | 'token'
  | 'conversation'
  | 'arrival'
  | 'journey'
  | 'step'
  | 'attempt'
  | 'intendedAt'
  | 'capWaitUs'
  | 'sentAt'
  | 'headersAt'
  | 'receivedAt'
  | 'readLateUs'
  | 'outcome'
  | 'status'
  | 'failure'
  | 'bodyProblem'
  | 'bytes'
  | 'date'
  | 'retryAfter'
  | 'headers'
  | 'error'
  | 'turn'
  | 'message'
  | 'history'
  | 'otherwise'
  | 'connection'
  | 'resend'
  | 'expect';
type WrittenOfTurn =
  | 'id'
  | 'status'
  | 'conversation'
  | 'error'
  | 'userMessageId'
  | 'assistantMessageId'
  | 'latencyMs'
  | 'createdAt'
  | 'updatedAt';
type WrittenOfMessage = 'id' | 'digest' | 'textDigest' | 'text';
/** The record type. If it has members that its writer, which writes `W`, does not know, no caller compiles, and the error names them. */
export type Whole<R, W> = [Exclude<keyof R, W>] extends [never] ? R : R & { readonly notWritten: Exclude<keyof R, W> };

/** One line, ASCII, including its newline. */
export function exchangeLine(record: Whole<Exchange, WrittenHere>): string {
  return `${steadyPart(record)}${rareMembers(record)}${callerPart(record)}${lastPart(record)}`;
}

/** From the brace on: the part that stays the same, or changes only its digits, between exchanges of an operation. */
export function steadyPart(record: Exchange): string {
  const { bytes } = record;
  let line = `{"kind":"exchange","seq":${record.seq}`;
  if (record.worker !== undefined) line += `,"worker":${record.worker}`;
  line += `,"operation":"${record.operation}","journey":${quoted(record.journey)},"attempt":${record.attempt}`;
  line += `,"intendedAt":${record.intendedAt},"sentAt":${record.sentAt}`;
  if (record.headersAt !== undefined) line += `,"headersAt":${record.headersAt}`;
  line += `,"receivedAt":${record.receivedAt},"outcome":"${record.outcome}"`;
  if (record.status !== undefined) line += `,"status":${record.status}`;
  line += `,"bytes":{"sent":${bytes.sent},"received":${bytes.received}}`;
  if (record.date !== undefined) line += `,"date":${quoted(record.date)}`;
  if (record.conversation !== undefined) line += `,"conversation":${quoted(record.conversation)}`;
  if (record.turn !== undefined) line += `,"turn":${turnOf(record.turn)}`;
  if (record.message !== undefined) line += `,"message":${messageOf(record.message)}`;
  return line;
}

function rareMembers(record: Exchange): string {
  let text = '';
  if (record.capWaitUs !== undefined) text += `,"capWaitUs":${asciiJson(record.capWaitUs)}`;
  if (record.readLateUs !== undefined) text += `,"readLateUs":${record.readLateUs}`;
  if (record.failure !== undefined) text += `,"failure":${quoted(record.failure)}`;
  if (record.bodyProblem !== undefined) text += `,"bodyProblem":${quoted(record.bodyProblem)}`;
  if (record.retryAfter !== undefined) text += `,"retryAfter":${quoted(record.retryAfter)}`;
  if (record.headers !== undefined) text += `,"headers":${asciiJson(record.headers)}`;
  if (record.error !== undefined) text += `,"error":${asciiJson(record.error)}`;
  if (record.history !== undefined) text += `,"history":${asciiJson(record.history)}`;
  if (record.otherwise !== undefined) text += `,"otherwise":${asciiJson(record.otherwise)}`;
  if (record.resend !== undefined) text += `,"resend":"${record.resend}"`;
  if (record.expect !== undefined) text += `,"expect":${asciiJson(record.expect)}`;
  return text;
}

/** Whether a line has nothing between its steady part and its caller, except waits. */
export const hasNothingRare = (record: Exchange): boolean =>
  record.readLateUs === undefined &&
  record.failure === undefined &&
  record.bodyProblem === undefined &&
  record.retryAfter === undefined &&
  record.headers === undefined &&
  record.error === undefined &&
  record.history === undefined &&
  record.otherwise === undefined &&
  record.resend === undefined &&
  record.expect === undefined;

/** The members that identify the caller: application, user, token. */
export function callerPart({ application, user, token }: Pick<Exchange, 'application' | 'user' | 'token'>): string {
  const known = `,"application":${quoted(application)},"user":${quoted(user)}`;
  return token === undefined ? known : `${known},"token":${quoted(token)}`;
}

function lastPart({ arrival, step, connection }: Exchange): string {
  const place = `,"arrival":${arrival},"step":${step}`;
  return connection === undefined ? `${place}}\n` : `${place},"connection":${connection}}\n`;
}

function turnOf(turn: Whole<TurnSeen, WrittenOfTurn>): string {
  let text = `{"id":${quoted(turn.id)}`;
  if (turn.status !== undefined) text += `,"status":${quoted(turn.status)}`;
  if (turn.conversation !== undefined) text += `,"conversation":${quoted(turn.conversation)}`;
  if (turn.error !== undefined) text += `,"error":${quoted(turn.error)}`;
  if (turn.userMessageId !== undefined) text += `,"userMessageId":${quoted(turn.userMessageId)}`;
  if (turn.assistantMessageId !== undefined) text += `,"assistantMessageId":${quoted(turn.assistantMessageId)}`;
  if (turn.latencyMs !== undefined) text += `,"latencyMs":${turn.latencyMs}`;
  if (turn.createdAt !== undefined) text += `,"createdAt":${quoted(turn.createdAt)}`;
  if (turn.updatedAt !== undefined) text += `,"updatedAt":${quoted(turn.updatedAt)}`;
  return `${text}}`;
}

function messageOf(message: Whole<MessageSent, WrittenOfMessage>): string {
  let text = `{"id":${quoted(message.id)},"digest":${quoted(message.digest)}`;
  if (message.textDigest !== undefined) text += `,"textDigest":${quoted(message.textDigest)}`;
  if (message.text !== undefined) text += `,"text":${quoted(message.text)}`;
  return `${text}}`;
}

/** Text that JSON writes unescaped: visible ASCII and spaces, no quotes, no backslashes. */
const PLAIN = /^[ !#-[\]-~]*$/;

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : asciiJson(text));
