import { OWN } from '@/proxy/library/own-package';
import { traced } from '@/proxy/library/traced';
import type { ChatAnswer, ChatOptions } from './chat-types';

/**
 * Lets a model answer the last of the messages, and call tools of the servers. Resolves also with an answer that the
 * model could not finish. Rejects with an {@link InspectError} for a model or options that can't be used.
 */
export async function chat(options: ChatOptions): Promise<ChatAnswer> {
  return traced('chat', chat, async () => (await import('./chat-loop')).answerMessages(options, OWN));
}
