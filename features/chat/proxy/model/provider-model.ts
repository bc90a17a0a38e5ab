import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { DialectLoss, StopReason, ToolMode, Usage } from '@/features/chat/lib/chat-frame';
import type { Model, ModelEvent, ModelRequest } from '@/features/chat/lib/model';
import type { HttpLink } from '@/lib/transports/http-link';
import { maskedUrl } from '@/lib/transports/masking';
import { lossesIn } from './dialect-losses';
import type { DialectAdapter } from './dialects/dialect';
import { DIALECTS } from './dialects/registry';
import { KeyMask } from './key-mask';
import type { ModelEndpoint } from './model-endpoint';
import { ModelExchange } from './model-exchange';
import { brokenStream, modelFailure, stoppedByProvider } from './model-failures';
import { promptOf, sdkTools } from './prompt';
import { signatureOf } from './signature';

/** Characters of a call's id. OpenAI accepts 64, and the loop may add some to make an id unique. */
const MOST_ID_CHARS = 56;

/** A model behind an endpoint. Each question is one request over the egress. */
export class ProviderModel implements Model {
  readonly id: string;
  readonly toolMode: ToolMode = 'native';
  readonly #model: string;
  readonly #endpoint: ModelEndpoint;
  readonly #link: HttpLink;

  constructor(model: string, endpoint: ModelEndpoint, link: HttpLink) {
    this.id = `${endpoint.provider.id}:${model}`;
    this.#model = model;
    this.#endpoint = endpoint;
    this.#link = link;
  }

  async *ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    // Ends the exchange too when the caller stops reading.
    const left = new AbortController();
    const both = AbortSignal.any([signal, left.signal]);
    const exchange = new ModelExchange(this.#link, this.#endpoint.key, both);
    try {
      const dialect = await DIALECTS[this.#endpoint.provider.dialect]();
      // A long chat repeats the same losses in each request.
      const lost = new Map<string, DialectLoss>();
      const language = dialect.create(this.#model, this.#endpoint, exchange.send);
      const options = callOptions(request, dialect, both, (loss) => lost.set(JSON.stringify(loss), loss));
      const started = Promise.resolve(language.doStream(options));
      started.catch(() => {});
      const outgoing = await Promise.race([exchange.outgoing, started.then(() => undefined)]);
      if (outgoing) {
        const { url, body } = outgoing;
        yield {
          type: 'request',
          url: maskedUrl(url),
          body,
          losses: [...lost.values(), ...lossesIn(body, request, dialect)],
        };
      }
      exchange.release();
      yield* this.#events((await started).stream, exchange, dialect);
    } catch (error) {
      signal.throwIfAborted();
      throw modelFailure(error, exchange, this.#endpoint, this.#model);
    } finally {
      left.abort();
      exchange.release();
    }
  }

  async *#events(
    stream: ReadableStream<LanguageModelV3StreamPart>,
    exchange: ModelExchange,
    { options }: DialectAdapter,
  ): AsyncGenerator<ModelEvent> {
    const key = this.#endpoint.key ?? '';
    // A key may come in pieces, each in an event of its own.
    const masks = { text: new KeyMask(key), reasoning: new KeyMask(key) };
    const signatures = new Map<string, object>();
    let calls = 0;
    let last = masks.text;
    const rest = function* (): Generator<ModelEvent> {
      for (const type of ['reasoning', 'text'] as const) {
        const text = masks[type].end();
        if (text !== '') yield { type, text };
      }
    };
    for await (const part of stream) {
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta': {
          const type = part.type === 'text-delta' ? 'text' : 'reasoning';
          // Text that was held back comes before what follows it.
          if (masks[type] !== last) yield* rest();
          last = masks[type];
          const text = last.push(part.delta);
          if (text !== '') yield { type, text };
          if (type === 'reasoning') gather(signatures, part.id, part.providerMetadata?.[options]);
          break;
        }
        case 'reasoning-start':
          gather(signatures, part.id, part.providerMetadata?.[options]);
          break;
        case 'reasoning-end': {
          gather(signatures, part.id, part.providerMetadata?.[options]);
          yield* rest();
          const signature = signatureOf({ [options]: { ...signatures.get(part.id) } }, options);
          if (signature !== undefined) yield { type: 'reasoning', text: '', signature };
          break;
        }
        case 'text-end':
          yield* rest();
          break;
        case 'tool-call': {
          yield* rest();
          calls++;
          const mask = new KeyMask(key);
          const signature = signatureOf(part.providerMetadata, options);
          const call = { id: validId(part.toolCallId), name: mask.whole(part.toolName) };
          yield {
            type: 'call',
            call: { ...call, arguments: mask.whole(part.input), ...(signature !== undefined && { signature }) },
          };
          break;
        }
        case 'file':
          yield {
            type: 'text',
            text: `[The model made a file of type ${part.mediaType.slice(0, 100)}, which is not shown]`,
          };
          break;
        case 'error':
          throw part.error;
        case 'finish': {
          yield* rest();
          yield {
            type: 'end',
            reason: stopReason(part.finishReason, calls, exchange),
            usage: usageOf(part.usage),
            ...(exchange.status !== undefined && { status: exchange.status }),
            body: exchange.body,
            ...(exchange.isCut && { bytes: exchange.bytes }),
          };
          return;
        }
      }
    }
    throw brokenStream();
  }
}

function callOptions(
  request: ModelRequest,
  dialect: DialectAdapter,
  abortSignal: AbortSignal,
  lose: (loss: DialectLoss) => void,
): LanguageModelV3CallOptions {
  const { tools, temperature, outputTokens, toolChoice, stopSequences } = request;
  return {
    prompt: promptOf(request, dialect, lose),
    maxOutputTokens: outputTokens,
    abortSignal,
    ...(tools.length > 0 && { tools: sdkTools(tools, dialect.strict) }),
    ...(tools.length > 0 && toolChoice && { toolChoice: { type: toolChoice } }),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
    ...(dialect.fixed && { providerOptions: dialect.fixed }),
  };
}

/** Makes an id that every provider accepts, should the chat go on with another one. Some servers give none. */
function validId(id: string): string {
  return id.replace(/[^\w-]/g, '_').slice(0, MOST_ID_CHARS) || 'call';
}

function gather(signatures: Map<string, object>, id: string, metadata: object | undefined): void {
  if (metadata) signatures.set(id, { ...signatures.get(id), ...metadata });
}

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>['finishReason'];

const REASONS: Readonly<Record<Finish['unified'], StopReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refusal',
  'tool-calls': 'calls',
  error: 'error',
  other: 'stop',
};

/** Throws if the answer has no end: its connection was closed before the provider said why the model stopped. */
function stopReason({ unified, raw }: Finish, calls: number, exchange: ModelExchange): StopReason {
  if (unified === 'error') throw stoppedByProvider(raw);
  if (unified === 'other' && raw === undefined && !/^data: ?\[DONE\]\s*$/m.test(exchange.tail)) throw brokenStream();
  const reason = REASONS[unified];
  return reason === 'stop' && calls > 0 ? 'calls' : reason;
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  const counts = {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cachedTokens: inputTokens.cacheRead,
    reasoningTokens: outputTokens.reasoning,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => Number.isSafeInteger(count)));
}
