import type { Micros } from '../../base/index.ts';
import { partsOfOwner } from '../owner.ts';
import type { ConversationRecord } from '../store.ts';
import { MemoryStore } from './memory.ts';

/** A memory in which everybody has had any conversation that they name: it plays a service whose past is not known. */
export class WelcomingStore extends MemoryStore {
  override findConversation(owner: string, id: string): ConversationRecord {
    const found = super.findConversation(owner, id);
    if (found) return found;
    const had = { id, owner, ...partsOfOwner(owner), title: 'Earlier conversation', createdAt: 0 as Micros };
    this.addConversation(had);
    return had;
  }
}
