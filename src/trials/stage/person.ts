/** A user with a token, which may be renewed. */
export interface Person {
  readonly application: string;
  readonly user: string;
  token: string;
  secret: string;
  readonly conversations: readonly string[];
}

/** A user who asks. */
export interface Asker {
  readonly person: Person;
  /** Whether the journal has the requests. It has none of others who use the same credentials, nor of the time before the run. */
  readonly isRecorded: boolean;
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
