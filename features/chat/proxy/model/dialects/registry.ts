import type { Dialect } from '@/features/chat/lib/providers';
import type { DialectAdapter } from './dialect';

/** The SDK's code for each dialect is a chunk of its own, loaded at the first use. */
export const DIALECTS: Readonly<Record<Dialect, () => Promise<DialectAdapter>>> = {
  'openai-responses': async () => (await import('./openai-responses')).openaiResponses,
  'openai-chat': async () => (await import('./openai-chat')).openaiChat,
  anthropic: async () => (await import('./anthropic')).anthropic,
  google: async () => (await import('./google')).google,
};
