import { useState } from 'react';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import type { ChatSummary } from '@/features/chat/lib/chat-api';
import { type ChatSettings, USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import type { Failure } from '@/lib/wire/lifecycle';
import { runsWithoutAsking, withoutAllowance } from './allowance';
import { ChatBar } from './chat-bar';
import { ChatLayout, SidePane } from './chat-layout';
import { Composer, focusMessage } from './composer';
import { blockedReason, useOpenServers, useServerNames } from './open-servers';
import { SettingsPane } from './settings-pane';
import { NEW_CHAT } from './use-chat-actions';
import { CHAT_SETTINGS, useAskChats, useOffers } from './use-chats';

const FIRST_SETTINGS: ChatSettings = { model: '', toolMode: 'native', limits: USUAL_LIMITS, servers: [] };

/** A chat that begins with its first message. */
export function NewChat({
  connection,
  chats,
  gone,
}: {
  /** Entry of the connection whose panel this is. */
  readonly connection: string;
  readonly chats: readonly ChatSummary[];
  /** The chat that the address names is gone. */
  readonly gone: boolean;
}) {
  const ask = useAskChats();
  const open = useOpenServers();
  const [settings, setSettings] = useDraft<ChatSettings>(CHAT_SETTINGS, FIRST_SETTINGS);
  const [chosen, setChosen] = useDraft<readonly string[] | null>('chat-connections', null);
  const [showsSettings, setShowsSettings] = useState(true);
  const [failure, setFailure] = useState<Failure>();
  const entries = open.map(({ entry }) => entry);
  // Until somebody chooses, the server of this panel.
  const connections = (chosen ?? [connection]).filter((entry) => entries.includes(entry));
  const offers = useOffers(connections, 0);
  const begin = async (parts: Parameters<Parameters<typeof Composer>[0]['onSend']>[0]) => {
    setFailure(undefined);
    try {
      const { chat } = await ask({ kind: 'start', connections, settings });
      await ask({ kind: 'send', chat, parts });
      // The next chat asks again.
      setSettings(withoutAllowance);
      navigate({ item: chat });
      focusMessage(chat);
      return true;
    } catch (error) {
      setFailure(error as Failure);
      return false;
    }
  };
  const blocked = blockedReason(settings, connections, open, useServerNames());
  return (
    <ChatLayout
      bar={
        <ChatBar
          chats={chats}
          chosen={undefined}
          showsSettings={showsSettings}
          onSettings={() => setShowsSettings(!showsSettings)}
        />
      }
      side={
        showsSettings ? (
          <SidePane title="Chat settings" onClose={() => setShowsSettings(false)}>
            <SettingsPane
              settings={settings}
              onChange={(next) => {
                setFailure(undefined);
                setSettings(next);
              }}
              open={open}
              connections={connections}
              onConnections={setChosen}
              offers={offers}
              recorded={undefined}
            />
          </SidePane>
        ) : undefined
      }
    >
      <div className="min-h-0 flex-1 overflow-auto">
        {gone && <p className="px-3 pt-2 text-warn">! That chat is gone. Earlier chats are in the recordings</p>}
        {settings.model === '' ? (
          <EmptyState title="Choose a model to chat with your servers">
            Choose a provider and model, or replay answers from a file (scripted:FILE).
          </EmptyState>
        ) : open.length === 0 ? (
          <EmptyState title="No server is connected">Connect one, so that the model can call its tools.</EmptyState>
        ) : (
          <EmptyState title="Ask something that needs a tool">
            {runsWithoutAsking(settings)
              ? 'The chat settings let calls run without asking you.'
              : 'You decide on each call: run it, answer it by hand, or refuse it.'}
          </EmptyState>
        )}
      </div>
      {failure && (
        <div className="px-3 pb-2">
          <ErrorNote codeless={failure.code === 'no-key'} failure={failure} />
        </div>
      )}
      <Composer draft={NEW_CHAT} offers={offers} blocked={blocked} busy={false} onSend={begin} onCancel={() => {}} />
    </ChatLayout>
  );
}
