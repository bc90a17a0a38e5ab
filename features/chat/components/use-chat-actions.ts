import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ChatRequest } from '@/features/chat/lib/chat-api';
import type { CallDecision, ChatPart, ChatSettings } from '@/features/chat/lib/chat-frame';
import type { ChatCall } from '@/features/chat/lib/chat-state';
import type { Failure } from '@/lib/wire/lifecycle';
import { useAskChats } from './use-chats';

/** The item of the panel that stands for a chat that has not begun. */
export const NEW_CHAT = 'new';

/** Later calls that run without asking: those of a tool, by its qualified name, or all. */
type Always = { readonly tool: string } | 'all';

/** The actions of a person in a chat that is not only to read. */
export interface ChatActions {
  /** Adds a message after a turn. Resolves to true once the chat has it. */
  readonly send: (parts: readonly ChatPart[], parent: string | undefined) => Promise<boolean>;
  readonly retry: (turn: string) => void;
  readonly decide: (call: string, decision: CallDecision, always?: Always) => void;
  readonly cancel: () => void;
  /** Resolves to true once the chat has the settings. */
  readonly change: (settings: ChatSettings, connections?: readonly string[]) => Promise<boolean>;
  /** Returns the server of a call as the list of servers names it. */
  readonly serverOf: (call: ChatCall) => string | undefined;
  /** Why the last of them failed. */
  readonly failure: Failure | undefined;
}

/** Returns the actions of a person in a chat. `settings` are its present ones. */
export function useChatActions(chat: string, settings: ChatSettings | undefined): Omit<ChatActions, 'serverOf'> {
  const ask = useAskChats();
  const [failure, setFailure] = useState<Failure>();
  const run = useCallback(
    async (request: ChatRequest): Promise<boolean> => {
      setFailure(undefined);
      try {
        await ask(request);
        return true;
      } catch (error) {
        setFailure(error as Failure);
        return false;
      }
    },
    [ask],
  );
  return useMemo(
    () => ({
      failure,
      send: (parts, parent) => run({ kind: 'send', chat, parts, ...(parent !== undefined && { parent }) }),
      retry: (turn) => void run({ kind: 'retry', chat, turn }),
      decide: (call, decision, always) =>
        void run({
          kind: 'decide',
          chat,
          call,
          decision,
          ...(always && settings && { settings: allowing(settings, always) }),
        }),
      cancel: () => void run({ kind: 'cancel', chat }),
      change: (next, connections) =>
        run({ kind: 'settings', chat, settings: next, ...(connections && { connections }) }),
    }),
    [run, chat, settings, failure],
  );
}

/** Returns settings that allow more calls. */
function allowing(settings: ChatSettings, always: Always): ChatSettings {
  const allow = settings.allow ?? { mode: 'ask' };
  if (always === 'all') return { ...settings, allow: { ...allow, mode: 'all' } };
  return { ...settings, allow: { ...allow, tools: [...new Set([...(allow.tools ?? []), always.tool])] } };
}

/** Milliseconds without a change after which typed settings are sent. */
const TYPING_MS = 400;

/** Settings that a person is changing. They are sent after a pause, and by `flush`. */
export function useEditedSettings(settings: ChatSettings, change: ChatActions['change']) {
  const [edited, setEdited] = useState<ChatSettings>();
  // The chat has them now.
  if (edited && isSame(edited, settings)) setEdited(undefined);
  useEffect(() => {
    if (!edited) return;
    const timer = setTimeout(() => void change(edited), TYPING_MS);
    return () => clearTimeout(timer);
  }, [edited, change]);
  return {
    shown: edited ?? settings,
    edit: setEdited,
    /** Sends them now. Resolves to false if that failed. */
    flush: async (): Promise<boolean> => edited === undefined || change(edited),
  };
}

/** The proxy sets the names of the servers. */
function isSame(one: ChatSettings, other: ChatSettings): boolean {
  return JSON.stringify({ ...one, servers: [] }) === JSON.stringify({ ...other, servers: [] });
}
