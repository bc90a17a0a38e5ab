import { useCallback, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ChatSummary } from '@/features/chat/lib/chat-api';
import { type ChatSettings, USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import type { AnswerTurn, ChatCall, ChatState, ChatTurn } from '@/features/chat/lib/chat-state';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import { askToShare } from '@/lib/hooks/share-request';
import type { Log } from '@/lib/store/log';
import { entryOf } from '@/lib/wire/command';
import { formatCount } from '@/lib/wire/format';
import { formatCost } from './answer-view';
import { ChatBar } from './chat-bar';
import { ChatLayout, SidePane } from './chat-layout';
import { Composer } from './composer';
import { ModelView } from './model-view';
import { blockedReason, useOpenServers, useServerNames } from './open-servers';
import { ReplayButton } from './replay-button';
import { Differences, differencesLabel, isReplay, useDifferences } from './replay-pane';
import { SettingsPane } from './settings-pane';
import { Transcript } from './transcript';
import { useChat } from './use-chat';
import { NEW_CHAT, useChatActions, useEditedSettings } from './use-chat-actions';
import { useAskChats, useOffers } from './use-chats';

/** The branch that is shown. */
interface Shown {
  /** A turn of it. Absent: the newest branch. */
  readonly turn?: string;
  /** Only the turns up to it. */
  readonly only?: boolean;
}

const NEWEST: Shown = {};
const NO_SETTINGS: ChatSettings = { model: '', toolMode: 'native', limits: USUAL_LIMITS, servers: [] };

interface ChatViewProps {
  readonly log: Log;
  /** Absent if the chat is a recording. */
  readonly summary: ChatSummary | undefined;
  readonly chats: readonly ChatSummary[];
}

/** A chat: its turns, the box for the next message, and settings or the model's view beside them. */
export function ChatView({ log, summary, chats }: ChatViewProps) {
  const { state, complete, version } = useChat(log);
  const { api } = useClient();
  const isLive = summary !== undefined && log === log.whole;
  const key = `${log.connection} ${summary?.startedAt ?? ''}`;
  const [shown, setShown] = useDraft<Shown>(`chat-branch:${key}`, NEWEST);
  const [side, setSide] = useState<'settings' | 'differences' | 'newest' | { readonly turn: string }>();
  const settings = state.settings ?? NO_SETTINGS;
  const actions = useChatActions(log.connection, state.settings);
  const edited = useEditedSettings(settings, actions.change);
  const open = useOpenServers();
  const nameOf = useServerNames();
  const { connections: runs } = useConnections();
  const connections = summary?.connections ?? NO_CONNECTIONS;
  const usable = useMemo(
    () => connections.filter((entry) => open.some((one) => one.entry === entry)),
    [connections, open],
  );
  const offers = useOffers(isLive ? usable : NO_CONNECTIONS, state.tools.length);

  const leaf = shown.only && shown.turn !== undefined ? shown.turn : state.leafFrom(shown.turn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state changes in place
  const path = useMemo(() => state.pathTo(leaf ?? state.leafFrom()), [state, leaf, version]);
  const turns = useMemo(() => withSampling(state, path), [state, path]);
  const last = path.at(-1);
  // An answer that an earlier run of mcp-inspect left open is not being written.
  const writing = useMemo(
    () =>
      version > 0
        ? [...state.turns.values()].findLast((turn) => turn.kind === 'answer' && turn.end === undefined)
        : undefined,
    [state, version],
  );
  const busy = writing !== undefined;
  const elsewhere = isLive && !path.some((turn) => turn === writing) ? answerIn(writing) : undefined;
  const differences = useDifferences(log, path, version);
  const newest = turns.findLast((turn) => turn.kind !== 'user' && turn.requests.length > 0);
  const viewed =
    side === 'newest' ? answerIn(newest) : typeof side === 'object' ? answerIn(state.turns.get(side.turn)) : undefined;
  const onShow = useCallback(
    (turn: string | undefined, only = false) => setShown(turn === undefined ? NEWEST : { turn, ...(only && { only }) }),
    [setShown],
  );
  const viewedId = viewed?.id;
  const newestId = newest?.id;
  const onView = useCallback(
    // The newest answer stays in view when another one follows.
    (turn: string) => setSide(turn === viewedId ? undefined : turn === newestId ? 'newest' : { turn }),
    [viewedId, newestId],
  );
  const parent = path.findLast(({ kind }) => kind === 'answer')?.id;
  const shownActions = useMemo(
    () =>
      isLive
        ? {
            ...actions,
            serverOf: ({ sent, server }: ChatCall) => {
              const run = sent && runs.find(({ id }) => id === sent.connection);
              const entry = run ? entryOf(run) : offers.find((offer) => offer.server === server)?.connection;
              return entry === undefined ? undefined : nameOf(entry);
            },
            retry: (turn: string) => {
              setShown({ turn });
              actions.retry(turn);
            },
          }
        : undefined,
    [actions, isLive, setShown, runs, offers, nameOf],
  );

  if (!complete && turns.length === 0) {
    return (
      <p className="flex items-center gap-2 p-4 text-muted">
        <Spinner /> Reading the chat…
      </p>
    );
  }
  const { usage } = state;
  const replays = path.some(({ settings: of }) => isReplay(of?.model ?? ''));
  const isFinished = last?.kind === 'answer' && last.end !== undefined;
  return (
    <ChatLayout
      bar={
        <ChatBar
          chats={chats}
          chosen={log.connection}
          isLive={isLive}
          showsSettings={side === 'settings'}
          onSettings={() => setSide(side === 'settings' ? undefined : 'settings')}
        >
          {!isLive && <span className="shrink-0 text-muted">Recorded chat, read-only</span>}
          <span className="min-w-0 truncate font-mono text-wire text-muted narrow:hidden">
            <UntrustedText text={settings.model} limit={100} />
          </span>
          {usage.inputTokens !== undefined && (
            <span className="tabular shrink-0 text-small text-muted narrow:hidden">
              {formatCount(usage.inputTokens)} in, {formatCount(usage.outputTokens ?? 0)} out
              {usage.cost !== undefined && `, ${formatCost(usage.cost)}`}
            </span>
          )}
          <span className="flex-1" />
          {replays && (
            <Button
              aria-pressed={side === 'differences'}
              className="aria-pressed:bg-text/10"
              onClick={() => setSide(side === 'differences' ? undefined : 'differences')}
            >
              {differencesLabel(differences)}
            </Button>
          )}
          {api && isFinished && <ReplayButton source={log.connection} leaf={last.id} />}
        </ChatBar>
      }
      side={
        viewed ? (
          <ModelView log={log} turn={viewed} about={titleOf(state, viewed)} onClose={() => setSide(undefined)} />
        ) : side === 'differences' ? (
          <SidePane title="Differences" onClose={() => setSide(undefined)}>
            <Differences found={differences} busy={busy} />
          </SidePane>
        ) : side === 'settings' ? (
          <SidePane title="Chat settings" onClose={() => setSide(undefined)}>
            {summary?.sampling ? (
              <SamplingChosen />
            ) : (
              <SettingsPane
                settings={edited.shown}
                onChange={edited.edit}
                open={open}
                connections={connections}
                onConnections={(next) => void actions.change(edited.shown, next)}
                offers={offers}
                recorded={isLive ? undefined : state.tools}
              />
            )}
            {isLive && <CloseChat summary={summary} />}
          </SidePane>
        ) : undefined
      }
    >
      {turns.length === 0 ? (
        <div className="min-h-0 flex-1">
          <EmptyState title={summary?.sampling ? 'No model was asked yet' : 'This chat has no messages'} />
        </div>
      ) : (
        <Transcript
          key={log.connection}
          log={log}
          state={state}
          turns={turns}
          version={version}
          actions={shownActions}
          viewed={viewed?.id}
          onView={onView}
          onShow={onShow}
        />
      )}
      {elsewhere && (
        <p role="status" className="flex min-w-0 items-center gap-2 px-3 py-1 text-small">
          <Spinner />
          <span className="min-w-0 truncate">
            Another branch is being answered: <UntrustedText text={titleOf(state, elsewhere)} limit={TITLE_CHARS} />
          </span>
          <Button size="small" onClick={() => onShow(elsewhere.id)}>
            Show it
          </Button>
        </p>
      )}
      {actions.failure && (
        <div className="px-3 pb-2">
          <ErrorNote codeless={actions.failure.code === 'no-key'} failure={actions.failure} />
        </div>
      )}
      {isLive && !summary.sampling && (
        <Composer
          draft={key}
          chat={log.connection}
          offers={offers}
          blocked={blockedReason(edited.shown, connections, open, nameOf)}
          busy={busy}
          onCancel={actions.cancel}
          onSend={async (parts) => {
            const sent = (await edited.flush()) && (await actions.send(parts, parent));
            if (sent) onShow(parent);
            return sent;
          }}
        >
          {shown.only && last !== undefined && last.children.length > 0 && (
            <span className="flex items-center gap-1 text-small text-muted">
              The next message begins a branch
              <Button size="small" variant="ghost" onClick={() => onShow(shown.turn)}>
                Show all
              </Button>
            </span>
          )}
        </Composer>
      )}
    </ChatLayout>
  );
}

const NO_CONNECTIONS: readonly string[] = [];

/** Characters of a message that tell which one it is. */
const TITLE_CHARS = 60;

/** Returns the first words of the message that a turn answers, or the server that asked. */
function titleOf(state: ChatState, { parent, from }: AnswerTurn): string {
  const message = parent === undefined ? undefined : state.turns.get(parent);
  const text = message?.kind === 'user' ? message.parts.find((part) => part.type === 'text')?.text : undefined;
  return from?.server ?? text?.trim().slice(0, TITLE_CHARS) ?? 'Attachment';
}

/** Returns the turns of a branch, and between them the completions for servers, by time. */
function withSampling(state: ChatState, path: readonly ChatTurn[]): readonly ChatTurn[] {
  if (state.sampling.length === 0) return path;
  const sampling = state.sampling.flatMap((id) => state.turns.get(id) ?? []);
  return [...path, ...sampling].sort((one, other) => one.seq - other.seq);
}

function answerIn(turn: { readonly kind: string } | undefined): AnswerTurn | undefined {
  return turn !== undefined && turn.kind !== 'user' ? (turn as AnswerTurn) : undefined;
}

/** Leads to the choice of who answers sampling requests. */
function SamplingChosen() {
  return (
    <p className="p-3 text-muted">
      A model answers sampling requests of this server here.{' '}
      <button type="button" className="text-link" onClick={() => navigate({ panel: 'inbox', item: 'sampling' })}>
        Choose the model in the Inbox
      </button>
    </p>
  );
}

/** Shares or closes a chat. */
function CloseChat({ summary: { id, startedAt, sampling } }: { readonly summary: ChatSummary }) {
  const ask = useAskChats();
  const { recordings } = useClient();
  return (
    <div className="flex flex-col gap-1 border-t border-line p-3">
      <div className="flex gap-1">
        <Button
          onClick={() => {
            const name = sampling ? 'sampling' : 'chat';
            const log = { id, name, transport: 'auto', title: '', state: 'closed', startedAt } as const;
            askToShare({ log, panel: 'chat' });
          }}
        >
          Share chat
        </Button>
        <Button
          onClick={() => {
            navigate({ item: NEW_CHAT });
            void ask({ kind: 'forget', chat: id });
          }}
        >
          Close chat
        </Button>
      </div>
      {recordings && <p className="text-small text-muted">Its recording stays among the recordings</p>}
    </div>
  );
}
