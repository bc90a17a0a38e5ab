import { AnthropicMessagesLanguageModel } from '@ai-sdk/anthropic/internal';
import { endpointHeaders } from '../model-endpoint';
import { at, type DialectAdapter, listAt } from './dialect';

/** Anthropic's Messages API. */
export const anthropic: DialectAdapter = {
  options: 'anthropic',
  media: /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/,
  resultMedia: /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/,
  signedReasoning: true,
  create: (model, endpoint, send) =>
    new AnthropicMessagesLanguageModel(model, {
      provider: 'anthropic.messages',
      baseURL: endpoint.baseUrl,
      headers: endpointHeaders(endpoint),
      fetch: send,
      supportedUrls: () => ({}),
    }),
  sentTools: (body) =>
    listAt(body, 'tools').map((tool) => ({ name: at(tool, 'name'), schema: at(tool, 'input_schema') })),
  settings: { temperature: ['temperature'] },
};
