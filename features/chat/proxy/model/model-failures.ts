import { APICallError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { ModelError } from '@/features/chat/lib/model';
import { jsonIn } from '@/lib/json/parse';
import { headerOf, retryAfterMs } from '@/lib/transports/http-link';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { KeyMask } from './key-mask';
import type { ModelEndpoint } from './model-endpoint';
import type { ModelExchange } from './model-exchange';

/** Characters of a provider's own message that ours repeats. */
const SAID_CHARS = 300;

/** Characters of an error that are searched for what it means. */
const TEXT_CHARS = 4000;

/** The facts about a request that failed. */
interface Facts {
  readonly endpoint: ModelEndpoint;
  readonly model: string;
  /** HTTP status, or the one that an error inside a stream stands for. */
  readonly status: number;
  /** The provider's error in small letters: its code, type and message. */
  readonly text: string;
}

interface FailureRow {
  readonly code: string;
  readonly matches: (facts: Facts) => boolean;
  /** Follows the provider's title. */
  readonly what: (facts: Facts) => string;
  readonly advice: (facts: Facts) => string;
  /** Trying again later may help. */
  readonly retry?: true;
}

const says =
  (pattern: RegExp, ...statuses: readonly number[]) =>
  ({ status, text }: Facts): boolean =>
    pattern.test(text) && (statuses.length === 0 || statuses.includes(status));
const has =
  (...statuses: readonly number[]) =>
  ({ status }: Facts): boolean =>
    statuses.includes(status);

/** Statuses of a refusal for its content. 0: it came inside a stream. */
const REFUSALS = [0, 400, 403, 422];

/** The meanings of a provider's errors. The first row that matches counts. */
const ROWS: readonly FailureRow[] = [
  {
    code: 'context-too-long',
    matches: says(
      /context.?(?:length|window|size)|maximum context|prompt is too long|exceeds? the (?:maximum|available|model)[\w ]*(?:tokens|context|length)|input token count|too many tokens|request_too_large/,
      400,
      413,
      422,
      500,
    ),
    what: ({ model }) => `refused the request: it is longer than ${model} can read`,
    advice: () => 'Offer fewer tools, limit the size of results, or begin a new chat.',
  },
  {
    code: 'tools-unsupported',
    matches: says(
      /(?:does not|doesn't|not) support (?:tools|tool|function)|tool (?:use|calling|choice)[\w ]* (?:is|are) not|enable-auto-tool-choice|no endpoints found that support tool|tools? (?:param|is not supported)|--jinja/,
      400,
      404,
      422,
      500,
      501,
    ),
    what: ({ model }) => `refused the tools: ${model} has no native tool calling here`,
    advice: () => 'Have the tools described in the system prompt instead, or choose another model.',
  },
  {
    code: 'no-credit',
    matches: (facts) => has(402)(facts) || says(/insufficient_quota|credit balance|billing/, 0, 400, 403, 429)(facts),
    what: () => 'refused the request: the account has no credit left',
    advice: () => 'Add credit to the account, or use another key.',
  },
  {
    code: 'content-refused',
    matches: says(
      /content_policy|content_filter|content management policy|prohibited_content|safety system/,
      ...REFUSALS,
    ),
    what: () => 'refused the content of the request',
    advice: () => 'Change the message, or choose another model.',
  },
  {
    code: 'unauthorized',
    matches: (facts) => has(401)(facts) || says(/api.?key not valid|invalid.?api.?key|authentication_error/)(facts),
    what: ({ endpoint: { key } }) => (key === undefined ? 'wants a key' : 'refused the key'),
    advice: keyAdvice,
  },
  {
    code: 'forbidden',
    matches: has(403),
    what: ({ model }) => `does not allow this key to use ${model}`,
    advice: () => 'Check what the key may do and where it may be used, or choose another model.',
  },
  {
    code: 'unknown-model',
    matches: (facts) => has(404)(facts) || says(/model[\w "'/:.-]*not (?:found|exist)|model_not_found/, 400)(facts),
    what: ({ model, endpoint: { baseUrl } }) => `has no model ${model} at ${baseUrl}`,
    advice: ({ model, endpoint: { provider } }) =>
      provider.pull === undefined
        ? 'Choose a model that the endpoint lists, and check the base URL.'
        : `Get it with \`${provider.pull} ${model}\`, or choose one that is there.`,
  },
  {
    code: 'rate-limited',
    matches: has(429),
    what: () => 'accepts no more requests for now (rate limit)',
    advice: () => 'Wait a little, or raise the limit of the account.',
    retry: true,
  },
  {
    code: 'overloaded',
    matches: (facts) =>
      has(503, 529)(facts) || says(/overloaded|unavailable|loading model|capacity/, 0, 500, 502)(facts),
    what: () => 'is overloaded',
    advice: () => 'Try again later, or choose another model.',
    retry: true,
  },
  {
    code: 'server-error',
    matches: ({ status }) => status >= 500 || status === 408 || status === 409,
    what: ({ status }) => `failed to answer (HTTP ${status})`,
    advice: () => 'Try again. If it stays, look at the status page or the log of the provider.',
    retry: true,
  },
  {
    code: 'bad-request',
    matches: ({ status }) => status >= 400,
    what: ({ status }) => `refused the request (HTTP ${status})`,
    advice: () => 'Look at the request as it was sent. A tool’s schema or a setting may not be allowed.',
  },
];

/** Turns whatever a request or its stream threw into a {@link ModelError}. */
export function modelFailure(
  error: unknown,
  exchange: ModelExchange,
  endpoint: ModelEndpoint,
  model: string,
): ModelError {
  const more = { ...(exchange.status !== undefined && { status: exchange.status }), body: exchange.body };
  const { failure = error } = exchange;
  if (exchange.failure === undefined && isWebPage(exchange)) return withMore(webPage(endpoint), more);
  if (failure instanceof ModelError) return withMore(failure, more);
  if (failure instanceof ConnectionError) return withMore(connectionFailure(failure, exchange, endpoint), more);
  if (UnsupportedFunctionalityError.isInstance(error)) return unsupported(error.message, endpoint);
  const said = saidIn(APICallError.isInstance(error) ? error.responseBody : error);
  const { title } = endpoint.provider;
  // An error inside a stream that began well has no status of its own.
  const status = APICallError.isInstance(error) ? (error.statusCode ?? 0) : (said.status ?? 0);
  const facts: Facts = { endpoint, model, status, text: said.text.toLowerCase() };
  const row = status < 400 && said.text === '' ? undefined : ROWS.find(({ matches }) => matches(facts));
  const mask = new KeyMask(endpoint.key ?? '');
  if (!row) {
    return withMore(
      said.message === undefined
        ? brokenStream(title)
        : stoppedByProvider(mask.whole(said.message).slice(0, SAID_CHARS), title),
      more,
    );
  }
  const quoted = said.message === undefined ? '' : `: ${mask.whole(said.message).slice(0, SAID_CHARS)}`;
  const message = `${title} ${row.what(facts)}${quoted}`;
  const wait = row.retry && retryAfter(exchange, facts.text);
  return new ModelError(row.code, /[.!?]$/.test(message) ? message : `${message}.`, row.advice(facts), {
    ...more,
    ...(row.retry && { retry: true }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

/** Returns true for HTML that did not come as an error. */
function isWebPage({ status = 0, headers }: ModelExchange): boolean {
  return status < 400 && /^\s*(?:text\/html|application\/xhtml)/i.test(headerOf(headers, 'content-type') ?? '');
}

function webPage({ provider, baseUrl }: ModelEndpoint): ModelError {
  return new ModelError(
    'not-an-api',
    `${baseUrl} answered with a web page, not as ${provider.title}’s API does.`,
    'Check the base URL: it may lack a path such as `/v1`, or a sign-in page may be in the way.',
  );
}

/** An answer ended before its end, or was not in the dialect's form. */
export function brokenStream(title = 'The model'): ModelError {
  return new ModelError(
    'broken-stream',
    `${title} broke off its answer, or sent something that is not in the form of its API.`,
    'Try again. If it stays, look at the raw answer, and check the base URL and the provider.',
    { retry: true },
  );
}

/** The provider ended an answer with an error of its own. `why` is its text or code. */
export function stoppedByProvider(why: string | undefined, title = 'The model'): ModelError {
  const isCall = /MALFORMED_FUNCTION_CALL/.test(why ?? '');
  return new ModelError(
    isCall ? 'malformed-call' : 'provider-error',
    `${title} stopped with an error${why === undefined ? '' : `: ${why.slice(0, SAID_CHARS)}`}.`,
    isCall ? 'Try again, or simplify the schemas of the tools.' : 'Try again, and look at the raw answer.',
    { retry: true },
  );
}

function withMore({ code, message, advice, more: own }: ModelError, more: ModelError['more']): ModelError {
  return new ModelError(code, message, advice, { ...more, ...own });
}

function connectionFailure(
  { code, message, advice }: ConnectionError,
  { status }: ModelExchange,
  { provider, baseUrl }: ModelEndpoint,
): ModelError {
  if (code === 'address-refused' || code === 'redirect-refused') {
    return new ModelError('refused-by-policy', message, advice);
  }
  const why = message.replace(`: ${new URL(baseUrl).origin}`, '');
  if (status !== undefined) {
    return new ModelError('broken-stream', `${provider.title} broke off its answer. ${why}`, 'Try again.', {
      retry: true,
    });
  }
  const start = code === 'connection-refused' && provider.start;
  return new ModelError(
    'unreachable',
    `${provider.title} does not answer at ${baseUrl}. ${why}`,
    start ? `Start it with \`${start}\`, or correct the base URL.` : advice,
    // A server that does not run, and a name that does not exist, will not be there a second later.
    /^(?:connection-refused|dns-failed|not-http|tls-.*)$/.test(code) ? {} : { retry: true },
  );
}

function unsupported(why: string, { provider: { title } }: ModelEndpoint): ModelError {
  return new ModelError(
    'unsupported',
    `The request can’t be written in the form of ${title}’s API: ${why.slice(0, SAID_CHARS)}`,
    'Don’t offer the tool whose schema it is about, or have the tools described in the system prompt.',
  );
}

function keyAdvice({ endpoint: { keyFrom, provider } }: Facts): string {
  const [name = ''] = provider.keyVariables;
  if (keyFrom === undefined) return `Set ${name} before starting mcp-inspect, or type the key.`;
  return keyFrom === 'typed' ? 'Copy the key again and type it again.' : `Check the value of ${keyFrom}.`;
}

interface Said {
  /** For people. */
  readonly message?: string;
  /** Everything that may tell what it is about. */
  readonly text: string;
  readonly status?: number;
}

/** Finds the provider's own words in the body of an error, or in an error inside a stream. */
function saidIn(source: unknown): Said {
  if (source instanceof Error) return { text: '' };
  const parsed = typeof source === 'string' ? jsonIn(source) : source;
  if (parsed === undefined) return { text: typeof source === 'string' ? source.slice(0, TEXT_CHARS) : '' };
  // Google wraps the object in an array, OpenAI in the events of a stream.
  const outer: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const inner = memberOf(memberOf(outer, 'response'), 'error') ?? memberOf(outer, 'error') ?? outer;
  const message = [inner, memberOf(inner, 'message'), memberOf(outer, 'message'), memberOf(outer, 'detail')].find(
    (one) => typeof one === 'string' && one !== '',
  ) as string | undefined;
  const status = [memberOf(inner, 'statusCode'), memberOf(inner, 'code'), memberOf(outer, 'status')].find(
    (one) => typeof one === 'number' && one >= 400 && one < 600,
  ) as number | undefined;
  const oneLine = message?.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return {
    ...(oneLine && { message: oneLine }),
    text: (JSON.stringify(parsed) ?? '').slice(0, TEXT_CHARS),
    ...(status !== undefined && { status }),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Returns how long the provider asks us to wait, in ms: by a header, or in the details of Google's error. */
function retryAfter({ headers }: ModelExchange, text: string): number | undefined {
  const exact = Number(headerOf(headers, 'retry-after-ms'));
  if (exact > 0) return Math.min(exact, LIMITS.timerMs);
  const asked = headerOf(headers, 'retry-after') ?? /"retrydelay":"([\d.]+)s"/.exec(text)?.[1];
  const ms = asked === undefined ? undefined : retryAfterMs(asked, Date.now());
  return ms === undefined ? undefined : Math.min(ms, LIMITS.timerMs);
}
