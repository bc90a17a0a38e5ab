import { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import { endpointHeaders } from '../model-endpoint';
import { at, type DialectAdapter, listAt } from './dialect';

/** OpenAI's Responses API. */
export const openaiResponses: DialectAdapter = {
  options: 'openai',
  media: /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/,
  resultMedia: /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/,
  signedReasoning: true,
  // The whole conversation is in each request, so nothing needs to be kept there.
  fixed: { openai: { store: false } },
  // The API would otherwise change a schema on its side, for example make every property required.
  strict: false,
  create: (model, endpoint, send) =>
    new OpenAIResponsesLanguageModel(model, {
      provider: 'openai.responses',
      url: ({ path }) => `${endpoint.baseUrl}${path}`,
      headers: () => endpointHeaders(endpoint),
      fetch: send,
    }),
  sentTools: (body) =>
    listAt(body, 'tools').map((tool) => ({ name: at(tool, 'name'), schema: at(tool, 'parameters') })),
  settings: { temperature: ['temperature'] },
};
