import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import type { ChatSummary } from '@/features/chat/lib/chat-api';
import { navigate } from '@/lib/hooks/location';
import { NEW_CHAT } from './use-chat-actions';

/** Chooses a chat, and opens what is beside it. */
export function ChatBar({
  chats,
  chosen,
  isLive = true,
  showsSettings,
  onSettings,
  children,
}: {
  readonly chats: readonly ChatSummary[];
  /** Id of the chat that is shown; undefined for a new one. */
  readonly chosen: string | undefined;
  /** False for a recording. */
  readonly isLive?: boolean;
  readonly showsSettings: boolean;
  readonly onSettings: () => void;
  readonly children?: ReactNode;
}) {
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1">
      {isLive && chats.length === 0 && <h2 className="font-medium">New chat</h2>}
      {isLive && chats.length > 0 && (
        <Select
          aria-label="Chat"
          className="max-w-64 flex-1"
          value={chosen ?? NEW_CHAT}
          options={[
            ...(chosen === undefined ? [{ value: NEW_CHAT, label: 'New chat' }] : []),
            ...chats.map(({ id, title }) => ({ value: id, label: visibleText(title || 'Untitled') })).reverse(),
          ]}
          onChange={(item) => navigate({ item })}
        />
      )}
      {isLive && chosen !== undefined && <Button onClick={() => navigate({ item: NEW_CHAT })}>New chat</Button>}
      <span className="flex min-w-0 flex-1 items-center gap-2">{children}</span>
      <Button variant="ghost" className="aria-pressed:bg-text/10" aria-pressed={showsSettings} onClick={onSettings}>
        Chat settings
      </Button>
    </div>
  );
}
