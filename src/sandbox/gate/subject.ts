import type { LimitScope, OperationId } from '../../api/index.ts';

/** Who asks for what: all that a limit may be counted by. A member is absent where nobody can know it. */
export interface Subject {
  readonly operation: OperationId;
  readonly application: string;
  /** Application and user in one; absent for an application that asks for a token. */
  readonly owner?: string;
  /** The token's label. */
  readonly token?: string;
  /** IANA time zone of the token. */
  readonly timezone?: string;
  /** Address of the other end of the connection. */
  readonly address?: string;
  /** The conversation that the request is about; looked up only where a limit is counted by it. */
  readonly conversation?: () => string | undefined;
}

/**
 * Whose units a request takes of a limit of that scope.
 * @returns `undefined` where the request has no such thing (a new conversation is of none yet): the limit does not apply
 */
export function keyOf(subject: Subject, scope: LimitScope): string | undefined {
  switch (scope) {
    case 'application':
      return subject.application;
    case 'user':
      return subject.owner;
    case 'token':
      return subject.token;
    case 'address':
      return subject.address;
    case 'conversation': {
      const id = subject.conversation?.();
      return id === undefined || subject.owner === undefined ? undefined : `${subject.owner} ${id.toLowerCase()}`;
    }
  }
}
