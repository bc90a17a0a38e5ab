import { randomUUID } from 'node:crypto';
import { GoogleGenerativeAILanguageModel } from '@ai-sdk/google/internal';
import { endpointHeaders } from '../model-endpoint';
import { at, type DialectAdapter, listAt } from './dialect';

/** Google's `streamGenerateContent`. */
export const google: DialectAdapter = {
  options: 'google',
  media: /^(?:(?:image|audio|video)\/[\w.+-]+|application\/pdf)$/,
  resultMedia: /^(?:image\/(?:png|jpeg|webp)|application\/pdf)$/,
  signedReasoning: false,
  create: (model, endpoint, send) =>
    new GoogleGenerativeAILanguageModel(model, {
      provider: 'google.generative-ai',
      baseURL: endpoint.baseUrl,
      headers: endpointHeaders(endpoint),
      fetch: send,
      generateId: () => randomUUID(),
      supportedUrls: () => ({}),
    }),
  sentTools: (body) =>
    listAt(body, 'tools').flatMap((group) =>
      listAt(group, 'functionDeclarations').map((tool) => ({
        name: at(tool, 'name'),
        schema: at(tool, 'parameters') ?? at(tool, 'parametersJsonSchema'),
      })),
    ),
  settings: { temperature: ['generationConfig', 'temperature'] },
};
