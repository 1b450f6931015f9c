import type { Micros } from '../../base/index.ts';
import { partsOfOwner } from '../owner.ts';
import type { ConversationRecord } from '../store.ts';
import { MemoryStore } from './memory.ts';

/** A store in which every requested conversation exists. It simulates a service with an unknown past. */
export class WelcomingStore extends MemoryStore {
  override findConversation(owner: string, id: string): ConversationRecord {
    const found = super.findConversation(owner, id);
    if (found) return found;
    const had = { id, owner, ...partsOfOwner(owner), title: 'Earlier conversation', createdAt: 0 as Micros };
    this.addConversation(had);
    return had;
  }
}
