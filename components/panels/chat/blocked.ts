import type { ChatSettings } from '@/lib/chat/chat-frame';
import type { OpenServer } from './use-open-servers';

/** Returns why no message can be sent; undefined if one can. `connections`: entries of the servers in use. */
export function blockedReason(
  { model }: ChatSettings,
  connections: readonly string[],
  open: readonly OpenServer[],
): string | undefined {
  if (model.trim() === '' || model.trim().endsWith(':')) return 'Choose a model in the chat settings';
  const isGone = connections.some((entry) => !open.some((one) => one.entry === entry));
  return isGone ? 'A server of this chat has ended. Restart it, or untick it' : undefined;
}
