import { parseBounded } from '@/lib/json/parse';
import { isObject } from '@/lib/json/value';
import type { Clock } from '@/lib/wire/clock';
import type {
  CallFault,
  ChatEvent,
  ChatFailure,
  ChatMessage,
  ChatPart,
  OfferedTool,
  StopReason,
  ToolCallPart,
} from './chat-frame';
import { type Model, ModelError, type ModelEvent, type ModelRequest } from './model';
import { pauseOrAbort, type TimeBudget } from './time-budget';
import { tokenParts } from './token-parts';
import { toolNamed } from './tool-names';

/** Most times that a failed request is sent again. */
const MOST_RETRIES = 5;
/** Wait before the first retry unless the provider says another; it doubles each time. */
const FIRST_WAIT_MS = 1000;
/** Text of this time is one event, so that a fast model doesn't write thousands of frames a second. */
const GATHER_MS = 40;
/** Most characters of one answer, and most calls in it. A model that writes more than this is in a loop. */
const MOST_ANSWER_CHARS = 4_000_000;
const MOST_CALLS = 500;
/** Most characters of a body that is kept. Images of a long chat are repeated in each request. */
const MOST_BODY_CHARS = 8_000_000;

/** One request to a model within a turn, with what it needs around it. */
export interface ModelQuestion {
  readonly turn: string;
  /** Number of the request within its turn. */
  readonly number: number;
  readonly model: Model;
  readonly request: ModelRequest;
  readonly record: (event: ChatEvent) => void;
  readonly clock: Clock;
  readonly budget: TimeBudget;
  readonly signal: AbortSignal;
  /** Returns true for the id of an earlier call. */
  readonly isCallId: (id: string) => boolean;
  /** Returns mistakes in arguments that are valid JSON. */
  readonly checkArguments: (tool: OfferedTool, args: unknown) => readonly CallFault[];
}

/** A whole answer of the model. */
export interface ModelAnswer {
  readonly reason: StopReason;
  readonly message: ChatMessage;
  readonly calls: readonly AskedCall[];
}

/** A call that the model asks for. */
export interface AskedCall {
  readonly part: ToolCallPart;
  readonly tool?: OfferedTool;
  /** Absent if they are not a JSON object. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly faults: readonly CallFault[];
}

/** Asks a model, and again where that may help. Every attempt is recorded. Throws ModelError or the signal's reason. */
export async function askModel(question: ModelQuestion): Promise<ModelAnswer> {
  const { record, turn, number, clock, budget, signal } = question;
  for (let attempt = 1; ; attempt++) {
    try {
      return await new Attempt(question).run();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || error.more.retry !== true || attempt > MOST_RETRIES) throw error;
      const waitMs = error.more.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      if (waitMs >= budget.left) throw tooLongToWait(error, waitMs);
      record({ type: 'retry', turn, request: number, attempt: attempt + 1, waitMs, failure: chatFailure(error) });
      await pauseOrAbort(clock, waitMs, signal);
    }
  }
}

/** Returns an error as the chat shows it. */
export function chatFailure(error: unknown): ChatFailure {
  if (error instanceof ModelError) return { code: error.code, message: error.message, advice: error.advice };
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'model-failed',
    message: `The model failed: ${message}`,
    advice: 'Try again, or choose another model.',
  };
}

function tooLongToWait(error: ModelError, waitMs: number): ModelError {
  const seconds = Math.ceil(waitMs / 1000);
  const again = `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, or raise the time limit.`;
  // The advice may begin with that already, without the time.
  const advice = `${again} ${error.advice.replace(/^Try again[^.]*\.\s*/, '')}`.trim();
  return new ModelError(error.code, error.message, advice, { ...error.more, retry: false });
}

/** One attempt of a request: writes what the model says as events, and puts its message together. */
class Attempt {
  readonly #question: ModelQuestion;
  readonly #begun: number;
  readonly #parts: ChatPart[] = [];
  readonly #calls: AskedCall[] = [];
  #chars = 0;
  #isRequested = false;
  /** Text that waits to be written. */
  #gathered: { readonly type: 'text' | 'reasoning'; text: string } | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(question: ModelQuestion) {
    this.#question = question;
    this.#begun = question.clock.now();
  }

  async run(): Promise<ModelAnswer> {
    const { model, request, signal } = this.#question;
    // One listener for all pieces: adding one for each costs more than the rest of the work.
    let stop = (_: unknown): void => {};
    const onAbort = () => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      const events = model.ask(request, signal)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await new Promise<IteratorResult<ModelEvent>>((resolve, reject) => {
            stop = reject;
            if (signal.aborted) onAbort();
            events.next().then(resolve, reject);
          });
          if (next.done === true) throw brokenOff();
          if (next.value.type === 'end') return this.#end(next.value);
          this.#read(next.value);
        }
      } finally {
        // Without waiting: a model that hangs would hold up the chat.
        Promise.resolve(events.return?.()).catch(() => {});
      }
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #read(event: Exclude<ModelEvent, { readonly type: 'end' }>): void {
    if (event.type === 'request') {
      this.#recordRequest(event);
      return;
    }
    if (!this.#isRequested) this.#recordRequest({ body: JSON.stringify(this.#question.request), losses: [] });
    if (event.type === 'call') this.#recordCall(event.call);
    else {
      this.#chars += event.text.length;
      if (this.#chars > MOST_ANSWER_CHARS) throw tooLong(`more than ${MOST_ANSWER_CHARS} characters`);
      if (event.text !== '') this.#gather(event.type, event.text);
      this.#addText(event.type, event.text, event.signature);
    }
  }

  #recordRequest({ url, body, losses }: Omit<ModelEvent & { readonly type: 'request' }, 'type'>): void {
    const { record, turn, number, request } = this.#question;
    this.#isRequested = true;
    record({
      type: 'request',
      turn,
      request: number,
      ...(url !== undefined && { url }),
      ...bounded(body),
      tokens: tokenParts(request),
      losses,
    });
  }

  #addText(type: 'text' | 'reasoning', text: string, signature: string | undefined): void {
    const last = this.#parts.at(-1);
    const joins = last !== undefined && last.type === type && !('signature' in last);
    const part = {
      type,
      text: joins ? last.text + text : text,
      ...(signature !== undefined && type === 'reasoning' && { signature }),
    };
    if (part.text === '' && !('signature' in part)) return;
    if (joins) this.#parts[this.#parts.length - 1] = part;
    else this.#parts.push(part);
  }

  #recordCall(asked: Omit<ToolCallPart, 'type'>): void {
    const { record, turn, number, request } = this.#question;
    if (this.#calls.length >= MOST_CALLS) throw tooLong(`more than ${MOST_CALLS} calls`);
    this.#chars += asked.arguments.length;
    if (this.#chars > MOST_ANSWER_CHARS) throw tooLong(`more than ${MOST_ANSWER_CHARS} characters`);
    this.#flush();
    const part: ToolCallPart = { type: 'call', ...asked, id: this.#freeId(asked.id) };
    const tool = toolNamed(request.tools, part.name);
    const { args, faults } = this.#readCall(part, tool);
    const call = { part, faults, ...(tool && { tool }), ...(args && { args }) };
    this.#calls.push(call);
    this.#parts.push(part);
    record({
      type: 'call',
      turn,
      request: number,
      call: part,
      ...(tool && { server: tool.server, tool: tool.tool }),
      ...(faults.length > 0 && { faults }),
    });
  }

  /** Several models number the calls of each answer from zero, and some write no id. */
  #freeId(id: string): string {
    const { isCallId } = this.#question;
    const taken = (one: string) => isCallId(one) || this.#calls.some(({ part }) => part.id === one);
    if (id !== '' && !taken(id)) return id;
    for (let number = 1; ; number++) {
      const free = `${id === '' ? 'call' : id}-${number}`;
      if (!taken(free)) return free;
    }
  }

  #readCall(part: ToolCallPart, tool: OfferedTool | undefined): Pick<AskedCall, 'args' | 'faults'> {
    if (tool === undefined) return { faults: [unknownTool(part.name, this.#question.request.tools)] };
    const args = parseArguments(part.arguments);
    if (typeof args === 'string') return { faults: [{ code: 'invalid-json', message: args }] };
    return { args, faults: this.#question.checkArguments(tool, args) };
  }

  #gather(type: 'text' | 'reasoning', text: string): void {
    if (this.#gathered !== undefined && this.#gathered.type !== type) this.#flush();
    if (this.#gathered !== undefined) this.#gathered.text += text;
    else this.#gathered = { type, text };
    if (this.#cancelTimer === undefined) this.#writeForNow();
  }

  /** Writes the gathered text, and gathers again for a while. */
  #writeForNow(): void {
    this.#flush();
    this.#cancelTimer = this.#question.clock.after(GATHER_MS, () => {
      this.#cancelTimer = undefined;
      if (this.#gathered !== undefined) this.#writeForNow();
    });
  }

  #flush(): void {
    const { record, turn, number } = this.#question;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#gathered === undefined) return;
    const { type, text } = this.#gathered;
    this.#gathered = undefined;
    record({ type, turn, request: number, text });
  }

  #end(end: ModelEvent & { readonly type: 'end' }): ModelAnswer {
    if (!this.#isRequested) this.#recordRequest({ body: JSON.stringify(this.#question.request), losses: [] });
    this.#flush();
    const message: ChatMessage = { role: 'assistant', parts: this.#parts };
    this.#recordResponse(end, end.reason);
    return { reason: end.reason, message, calls: this.#calls };
  }

  #fail(error: unknown): void {
    this.#flush();
    if (!this.#isRequested) return;
    const { signal } = this.#question;
    const { status, body = '' } = error instanceof ModelError ? error.more : {};
    const reason: StopReason = signal.aborted ? 'cancelled' : 'error';
    this.#recordResponse({ body, ...(status !== undefined && { status }) }, reason);
  }

  #recordResponse(end: Omit<ModelEvent & { readonly type: 'end' }, 'type' | 'reason'>, reason: StopReason): void {
    const { record, turn, number, clock } = this.#question;
    const { body, bytes } = bounded(end.body);
    const whole = end.bytes ?? bytes;
    record({
      type: 'response',
      turn,
      request: number,
      body,
      ...(whole !== undefined && { bytes: whole }),
      ...(end.status !== undefined && { status: end.status }),
      reason,
      ...(end.usage && { usage: end.usage }),
      milliseconds: Math.round(clock.now() - this.#begun),
      message: { role: 'assistant', parts: this.#parts },
    });
  }
}

function bounded(body: string): { readonly body: string; readonly bytes?: number } {
  if (body.length <= MOST_BODY_CHARS) return { body };
  return { body: body.slice(0, MOST_BODY_CHARS), bytes: new TextEncoder().encode(body).length };
}

function brokenOff(): ModelError {
  const message = 'The model stopped in the middle of its answer.';
  return new ModelError('broken-stream', message, 'Try again.', { retry: true });
}

function tooLong(more: string): ModelError {
  return new ModelError(
    'answer-too-long',
    `The model wrote ${more} in one answer.`,
    'Try again, or choose another model.',
  );
}

/** Most names of tools that an unknown one gets as an answer. */
const MOST_NAMES = 50;

function unknownTool(name: string, tools: readonly OfferedTool[]): CallFault {
  const names = tools.slice(0, MOST_NAMES).map((tool) => tool.name);
  const more = tools.length > MOST_NAMES ? `, and ${tools.length - MOST_NAMES} more` : '';
  const known = tools.length === 0 ? 'No tools are offered.' : `The tools are: ${names.join(', ')}${more}.`;
  return { code: 'unknown-tool', message: `The tool ${JSON.stringify(name.slice(0, 200))} is unknown. ${known}` };
}

/** Returns the arguments, or a sentence about invalid ones. Blank text, which several models write, means none. */
export function parseArguments(text: string): Readonly<Record<string, unknown>> | string {
  if (text.trim() === '') return {};
  try {
    const value = parseBounded(text);
    return isObject(value) ? value : 'The arguments must be one JSON object.';
  } catch (error) {
    return `The arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
