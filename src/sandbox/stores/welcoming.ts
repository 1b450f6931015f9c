import type { Micros } from '../../base/index.ts';
import type { Retention } from '../config/retention.ts';
import { partsOfOwner } from '../owner.ts';
import type { ConversationRecord } from '../store.ts';
import { MemoryStore } from './memory.ts';

/** A store in which every requested conversation exists. It simulates a service with an unknown past, which refuses little. */
export class WelcomingStore extends MemoryStore {
  readonly ignoresOtherContent: boolean;

  constructor(retention: Retention, settings: { readonly ignoresOtherContent: boolean }) {
    super(retention);
    this.ignoresOtherContent = settings.ignoresOtherContent;
  }

  override findConversation(owner: string, id: string): ConversationRecord {
    const found = super.findConversation(owner, id);
    if (found) return found;
    const had = { id, owner, ...partsOfOwner(owner), title: 'Earlier conversation', createdAt: 0 as Micros };
    this.addConversation(had);
    return had;
  }
}
