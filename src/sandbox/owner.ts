interface Parts {
  readonly application: string;
  readonly user: string;
}

/** A key for application and user: the owner of conversations and turns. */
export const ownerOf = ({ application, user }: Parts): string => JSON.stringify([application, user]);

export function partsOfOwner(owner: string): Parts {
  const [application, user] = JSON.parse(owner) as [string, string];
  return { application, user };
}
