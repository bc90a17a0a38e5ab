import { APICallError } from '@ai-sdk/provider';
import { ModelError } from '@/features/chat/lib/model';
import { textOrJson } from '@/lib/json/value';
import type { HttpLink } from '@/lib/transports/http-link';
import { at, listAt } from './dialects/dialect';
import { endpointHeaders, type ModelEndpoint } from './model-endpoint';
import { ModelExchange } from './model-exchange';
import { modelFailure } from './model-failures';

/** Models that are listed, and characters of the longest name. */
const MOST_MODELS = 2000;
const NAME_CHARS = 200;

/** Asks for all models at once, where the usual answer is a page. */
const QUERIES: Readonly<Record<string, string>> = { anthropic: '?limit=1000', google: '?pageSize=1000' };

/** Reads the names of an endpoint's models, sorted. Rejects with a {@link ModelError}. */
export async function readModelList(
  endpoint: ModelEndpoint,
  link: HttpLink,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const exchange = new ModelExchange(link, endpoint.key, signal);
  exchange.release();
  const url = `${endpoint.baseUrl}/models${QUERIES[endpoint.provider.dialect] ?? ''}`;
  try {
    const response = await exchange.send(url, { method: 'GET', headers: endpointHeaders(endpoint) });
    const text = await response.text();
    if (response.ok) return namesIn(JSON.parse(text));
    if (response.status === 404) throw notListed(endpoint);
    throw new APICallError({
      message: '',
      url,
      requestBodyValues: undefined,
      statusCode: response.status,
      responseBody: text,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw modelFailure(error, exchange, endpoint, '');
  }
}

function notListed({ baseUrl, provider: { title } }: ModelEndpoint): ModelError {
  const advice = 'Type the name of the model, and check the base URL.';
  return new ModelError('no-model-list', `${title} does not list its models at ${baseUrl}.`, advice);
}

function namesIn(list: unknown): readonly string[] {
  const google = listAt(list, 'models')
    .filter((model) => listAt(model, 'supportedGenerationMethods').includes('generateContent'))
    .map((model) => textOrJson(at(model, 'name')).replace(/^models\//, ''));
  const others = listAt(list, 'data').map((model) => at(model, 'id'));
  const names = [...google, ...others].filter(
    (name): name is string => typeof name === 'string' && name.length <= NAME_CHARS && /^[^\p{Cc}\s]+$/u.test(name),
  );
  return [...new Set(names)].sort().slice(0, MOST_MODELS);
}
