import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type {
  ChatReplies,
  ChatRequest,
  ChatSummary,
  ModelsReply,
  SamplingChoice,
  ServerOffer,
} from '@/features/chat/lib/chat-api';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { entryOf } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';

const CHATS_KEY = ['chats'];
const MODELS_KEY = ['chat-models'];
const NO_MODELS: ModelsReply = { models: [], providers: [] };
/** Key of the draft with the settings of the next chat. */
export const CHAT_SETTINGS = 'chat-settings';
const NO_OFFERS: readonly ServerOffer[] = [];

type Reply<K extends ChatRequest['kind']> = K extends keyof ChatReplies ? ChatReplies[K] : unknown;

/** Asks the proxy's chats for something. Rejects with a Failure. */
export type AskChats = <R extends ChatRequest>(request: R) => Promise<Reply<R['kind']>>;

/** Returns a function that asks the proxy's chats, and loads lists again that its request changed. */
export function useAskChats(): AskChats {
  const { api } = useClient();
  const queries = useQueryClient();
  return useCallback(
    async (request) => {
      const reply = await api!.ask<Reply<(typeof request)['kind']>>('chats', { ...request });
      const stale = STALE_AFTER[request.kind];
      if (stale) await queries.invalidateQueries({ queryKey: stale });
      return reply;
    },
    [api, queries],
  );
}

/** The lists that a request changes. */
const STALE_AFTER: { readonly [K in ChatRequest['kind']]?: readonly string[] } = {
  start: CHATS_KEY,
  replay: CHATS_KEY,
  send: CHATS_KEY,
  settings: CHATS_KEY,
  forget: CHATS_KEY,
  sampling: CHATS_KEY,
  key: MODELS_KEY,
};

/** Returns the chats of this run of the proxy, oldest first; undefined while they are loaded, and without a proxy. */
export function useChats(): { readonly chats: readonly ChatSummary[] | undefined; readonly failure?: Failure } {
  const client = useClient();
  const { api } = client;
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: CHATS_KEY,
    enabled: api !== undefined,
    queryFn: () => api!.ask<readonly ChatSummary[]>('chats', { kind: 'list' }),
    // Another tab may have started one.
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  useEffect(
    () =>
      client.onEvent((event) => {
        if (event.type === 'forgotten') void queries.invalidateQueries({ queryKey: CHATS_KEY });
      }),
    [client, queries],
  );
  return { chats: data, ...(error && { failure: error as unknown as Failure }) };
}

/** The sampling requests of a connection's server: who answers them. */
export interface SamplingAnswerers {
  /** Present once somebody has chosen. */
  readonly summary: ChatSummary | undefined;
  readonly choose: (choice: SamplingChoice) => Promise<unknown>;
}

/** Returns who answers the sampling requests of a connection; undefined where no model can. */
export function useSampling(connection: string): SamplingAnswerers | undefined {
  const { api } = useClient();
  const { connections } = useConnections();
  const { chats } = useChats();
  const ask = useAskChats();
  const own = connections.find(({ id }) => id === connection);
  if (api === undefined || own === undefined || own.via !== undefined || own.recording !== undefined) return undefined;
  const entry = entryOf(own);
  return {
    summary: chats?.find((chat) => chat.sampling !== undefined && chat.connections.includes(entry)),
    choose: (choice) => ask({ kind: 'sampling', connection: entry, choice }),
  };
}

/** Returns the models that can be chosen, and what their providers need. `provider`: one that was chosen. */
export function useModels(provider: string | undefined, baseUrl: string | undefined): ModelsReply {
  const { api } = useClient();
  const { data } = useQuery({
    queryKey: [...MODELS_KEY, provider, baseUrl],
    enabled: api !== undefined,
    queryFn: () => api!.ask<ModelsReply>('chats', { kind: 'models', provider, baseUrl }),
    // A local provider may have been started meanwhile.
    refetchOnMount: 'always',
    placeholderData: (before) => before,
  });
  return data ?? NO_MODELS;
}

/** Returns what the servers of a chat offer. `version` changes when their lists do. */
export function useOffers(connections: readonly string[], version: number): readonly ServerOffer[] {
  const { api } = useClient();
  const { data } = useQuery({
    queryKey: ['chat-offers', connections, version],
    enabled: api !== undefined && connections.length > 0,
    queryFn: () => api!.ask<readonly ServerOffer[]>('chats', { kind: 'offers', connections }),
    placeholderData: (before) => before,
  });
  return (connections.length > 0 && data) || NO_OFFERS;
}
