import type { LimitScope, OperationId } from '../../api/index.ts';

/** Operation and caller of a request: everything that a limit may count by. A member is absent if it is unknown. */
export interface Subject {
  readonly operation: OperationId;
  readonly application: string;
  /** Application and user combined; absent for issueToken. */
  readonly owner?: string;
  /** The token's label. */
  readonly token?: string;
  /** IANA time zone of the token. */
  readonly timezone?: string;
  /** Remote address of the connection. */
  readonly address?: string;
  /** Finds the conversation of the request; called only if a limit counts by it. */
  readonly conversation?: () => string | undefined;
}

/**
 * The key by which a limit of this scope counts the request.
 * @returns undefined if the request has none, such as a new conversation: the limit does not apply
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
