/** A user with a token, which may be renewed. */
export interface Person {
  readonly application: string;
  readonly user: string;
  token: string;
  secret: string;
  readonly conversations: readonly string[];
}

/** A turn that a user knows. */
export interface KnownTurn {
  readonly id: string;
  readonly person: Person;
  readonly conversation: string;
  /** Id of the assistant's message, once a poll has shown it. */
  answer?: string;
  isOver: boolean;
}
