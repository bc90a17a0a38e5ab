import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { ChatReplies, ChatRequest, ChatSummary, ModelsReply, ServerOffer } from '@/lib/chat/chat-api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './client';

const CHATS_KEY = ['chats'];
const MODELS_KEY = ['chat-models'];
const NO_MODELS: ModelsReply = { models: [], providers: [] };
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
      const reply = await api!.chats<Reply<(typeof request)['kind']>>({ ...request });
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
  send: CHATS_KEY,
  settings: CHATS_KEY,
  forget: CHATS_KEY,
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
    queryFn: () => api!.chats<readonly ChatSummary[]>({ kind: 'list' }),
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

/** Returns the models that can be chosen, and what their providers need. `provider`: one that was chosen. */
export function useModels(provider: string | undefined, baseUrl: string | undefined): ModelsReply {
  const { api } = useClient();
  const { data } = useQuery({
    queryKey: [...MODELS_KEY, provider, baseUrl],
    enabled: api !== undefined,
    queryFn: () => api!.chats<ModelsReply>({ kind: 'models', provider, baseUrl }),
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
    queryFn: () => api!.chats<readonly ServerOffer[]>({ kind: 'offers', connections }),
    placeholderData: (before) => before,
  });
  return (connections.length > 0 && data) || NO_OFFERS;
}
