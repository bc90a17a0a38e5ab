import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { endpointHeaders } from '../model-endpoint';
import { at, type DialectAdapter, listAt } from './dialect';

/** OpenAI's Chat Completions, as many other servers speak it. */
export const openaiChat: DialectAdapter = {
  options: 'openaiCompatible',
  media: /^(?:image\/[\w.+-]+|audio\/(?:wav|mp3|mpeg)|application\/pdf)$/,
  // A tool's message is a text.
  resultMedia: /(?!)/,
  signedReasoning: false,
  create: (model, endpoint, send) =>
    new OpenAICompatibleChatLanguageModel(model, {
      provider: `${endpoint.provider.id}.chat`,
      url: ({ path }) => `${endpoint.baseUrl}${path}`,
      headers: () => endpointHeaders(endpoint),
      fetch: send,
      includeUsage: true,
    }),
  sentTools: (body) =>
    listAt(body, 'tools').map((tool) => ({
      name: at(tool, 'function', 'name'),
      schema: at(tool, 'function', 'parameters'),
    })),
  settings: { temperature: ['temperature'] },
};
