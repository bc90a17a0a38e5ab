import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import type { ChatSummary } from '@/features/chat/lib/chat-api';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { navigate, useLocation } from '@/lib/hooks/location';
import { useLog } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { entryOf } from '@/lib/wire/command';
import { ChatView } from './chat-view';
import { NewChat } from './new-chat';
import { useHoldsChat } from './use-chat';
import { NEW_CHAT } from './use-chat-actions';
import { useChats } from './use-chats';

/** A model in the loop: chats over the open connections, or the chat of a recording. */
export function ChatPanel({ log }: { readonly log: Log }) {
  const holdsChat = useHoldsChat(log);
  const { api, status } = useClient();
  if (holdsChat) return api ? <Recorded log={log} /> : <ChatView log={log} summary={undefined} chats={[]} />;
  if (!api) {
    return (
      <EmptyState title="Chat needs the proxy">
        {status === 'file' ? 'This recording has no chat.' : 'Run npx mcp-inspect to chat with a model.'}
      </EmptyState>
    );
  }
  return <Chats log={log} isEmpty={holdsChat === undefined} />;
}

/** A recorded chat, or its replay. */
function Recorded({ log }: { readonly log: Log }) {
  const { chats = [] } = useChats();
  const { item } = useLocation();
  const replay = chats.find(({ id }) => id === item);
  if (replay) return <LiveChat key={`${replay.id} ${replay.startedAt}`} id={replay.id} chats={chats} />;
  return <ChatView log={log} summary={undefined} chats={[]} />;
}

function Chats({ log, isEmpty }: { readonly log: Log; readonly isEmpty: boolean }) {
  const { connections } = useConnections();
  const shown = connections.find(({ id }) => id === log.connection);
  const entry = shown ? entryOf(shown) : log.connection;
  const { chats, failure } = useChats();
  const { item } = useLocation();
  if (failure && !chats) {
    return (
      <div className="p-3">
        <ErrorNote failure={failure} />
      </div>
    );
  }
  if (shown?.recording && !isEmpty) return <NoChat />;
  if (!chats || shown?.recording) {
    return (
      <p className="flex items-center gap-2 p-4 text-muted">
        <Spinner /> Reading the chats…
      </p>
    );
  }
  // Without a choice: the newest chat that this connection is part of.
  const chosen =
    item === undefined
      ? chats.findLast((chat) => chat.connections.includes(entry) && !chat.sampling)
      : chats.find(({ id }) => id === item);
  if (!chosen) return <NewChat connection={entry} chats={chats} gone={item !== undefined && item !== NEW_CHAT} />;
  return <LiveChat key={`${chosen.id} ${chosen.startedAt}`} id={chosen.id} chats={chats} />;
}

/** A recorded or tapped session of a server. */
function NoChat() {
  return (
    <EmptyState title="This session has no chat">
      <p>A chat needs a server that mcp-inspect talks to. This session belongs to another client.</p>
      <p>
        <button type="button" className="text-link" onClick={() => navigate({ panel: undefined, item: undefined })}>
          Show its tools
        </button>
      </p>
    </EmptyState>
  );
}

function LiveChat({ id, chats }: { readonly id: string; readonly chats: readonly ChatSummary[] }) {
  const log = useLog(id);
  return <ChatView log={log} summary={chats.find((chat) => chat.id === id)} chats={chats} />;
}
