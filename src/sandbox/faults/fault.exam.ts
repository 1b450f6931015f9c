import { expect, it } from 'vitest';
import type { OperationId } from '../../api/index.ts';
import { CoreClient, conversationId } from '../core-client.exam.ts';
import type { Outcome } from '../replies.ts';

/** The test case of a fault. */
export interface FaultExam {
  /** A rule that strikes every request: for sendMessage, or for openStream if the fault applies only to streams. */
  readonly rule: string;
  /** Whether the core decides a request that the fault strikes. */
  readonly decides: boolean;
  /** Asserts the effect. @param honest outcome without the fault */
  readonly check: (outcome: Outcome, honest: Outcome) => void;
}

const ruleAt = (rule: string, when: string) => `${rule}:${when}`;
const operationOf = (rule: string) => rule.split(':')[0] as OperationId;

/** A user with a conversation. */
function ready(faults: readonly string[]) {
  const client = new CoreClient({ faults: [...faults], limits: { rate: { max: 1_000 }, concurrency: { max: 100 } } });
  client.converse();
  return client;
}

/** Sends one request of the operation. `decided`: whether the core counted it. */
function ask(client: CoreClient, operation: OperationId, id: string): { outcome: Outcome; decided: boolean } {
  const count = () => {
    const { requests } = client.core.truth(client.now);
    return Object.values(requests[operation] ?? {}).reduce((sum, each) => sum + each, 0);
  };
  const before = count();
  const outcome =
    operation === 'openStream'
      ? client.outcome(operation, { parameters: { turn_id: id }, webSocket: true })
      : client.outcome(operation, {
          parameters: { conversation_id: conversationId },
          json: { client_message_id: id, message: 'hello' },
        });
  return { outcome, decided: count() > before };
}

/** Requests 1 to n of the operation: a new message each, or a stream of the same turn. */
function series(rules: readonly string[], operation: OperationId, n: number) {
  const client = ready(rules);
  const turn = operation === 'openStream' ? String(client.send('first').body.turn_id) : '';
  client.at(10_000);
  return {
    client,
    seen: Array.from({ length: n }, (_, index) => ask(client, operation, turn || `m${index}`)),
  };
}

/** Every fault must strike exactly where, when and as often as its rule says. */
export function sitFaultExam({ rule, decides, check }: FaultExam): void {
  const operation = operationOf(rule);
  const n = 8;
  const honest = series([], operation, n).seen;

  it('strikes with its effect, and decides or not as it says', () => {
    const { client, seen } = series([rule], operation, n);
    seen.forEach(({ outcome, decided }, index) => {
      const plain = honest[index];
      if (!plain) throw new Error('no honest outcome to compare with');
      check(outcome, plain.outcome);
      expect(outcome).not.toEqual(plain.outcome);
      expect(decided).toBe(decides);
      if (outcome.kind === 'silence') expect(outcome.decided).toBe(decides);
    });
    expect(client.core.truth(client.now).faults).toEqual({ [rule]: n });
  });

  it('strikes the request of its number alone, and leaves all others as they are', () => {
    const { client, seen } = series([ruleAt(rule, '#3')], operation, n);
    const struck = seen.map(({ outcome }, index) => (sameKind(outcome, honest[index]?.outcome) ? 0 : index + 1));
    expect(struck.filter((number) => number > 0)).toEqual([3]);
    expect(client.core.truth(client.now).faults).toEqual({ [ruleAt(rule, '#3')]: 1 });
  });

  it('strikes some requests by chance, and the same ones for the same seed', () => {
    const run = () => series([ruleAt(rule, 'p=0.5')], operation, n);
    const { client, seen } = run();
    expect(seen).toEqual(run().seen);
    const struck = client.core.truth(client.now).faults?.[ruleAt(rule, 'p=0.5')];
    expect(struck).toBeGreaterThan(0);
    expect(struck).toBeLessThan(n);
  });

  it('leaves other operations alone', () => {
    const { client } = series([rule], operation, 1);
    const other = client.call('createConversation', { json: {} });
    expect(other.status).toBe(201);
  });
}

/** Whether two outcomes are equal except for identifiers, which shift if a request before them drew none. */
function sameKind(outcome: Outcome, honest: Outcome | undefined): boolean {
  const shape = (each: Outcome | undefined) => {
    if (each?.kind === 'json') return [each.status, each.delivery, instants(each.body)];
    if (each?.kind === 'stream')
      return [each.status, each.delivery, each.events.map(({ at, event }) => [at, event.at, event.sequence])];
    return each;
  };
  return JSON.stringify(shape(outcome)) === JSON.stringify(shape(honest));
}

const instants = (body: unknown) => (body as { created_at?: string }).created_at;
