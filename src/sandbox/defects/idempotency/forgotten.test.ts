import { expect, it } from 'vitest';
import { CoreClient, conversationId, otherConversationId } from '../../core-client.exam.ts';

it("I7 returns another user's turn only as long as the service remembers it", () => {
  const client = new CoreClient({ defects: ['I7'], retention: { time: '1min' } });
  const sendTo = (conversation_id: string) => {
    client.converse({ conversation_id });
    const json = { client_message_id: 'm', message: 'text' };
    const { turn_id } = client.call('sendMessage', { parameters: { conversation_id }, json }).body;
    return [turn_id, client.turn(turn_id).status];
  };
  const [first] = sendTo(conversationId);
  expect(sendTo(otherConversationId)).toEqual([first, 200]);
  client.at(120_000);
  const [later, status] = sendTo(otherConversationId);
  expect([later === first, status]).toEqual([false, 200]);
});
