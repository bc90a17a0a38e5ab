// Tools for models without native calling: they are described in the system prompt, and the model answers with JSON.
import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ChatMessage, ChatPart, OfferedTool } from './chat-frame';
import type { Model, ModelEvent, ModelRequest } from './model';

/** Most characters that may be a call and are held back. A longer text is shown as text. */
const MOST_HELD_CHARS = 100_000;

/** Returns a model that gets tools as text. To the loop it looks like one that calls natively. */
export function withDescribedTools(model: Model): Model {
  return { id: model.id, toolMode: 'described', ask: (request, signal) => ask(model, request, signal) };
}

async function* ask(model: Model, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const { tools, toolChoice: _, ...rest } = request;
  const system = [request.system, tools.length > 0 ? describe(tools) : undefined].filter((text) => text).join('\n\n');
  const described: ModelRequest = {
    ...rest,
    ...(system !== '' && { system }),
    messages: request.messages.map(asText),
    tools: [],
    undescribed: { messages: request.messages, tools },
  };
  const reader = new CallReader(new Set(tools.map(({ name }) => name)));
  let hasCalls = false;
  const pass = function* (events: readonly ModelEvent[]) {
    for (const event of events) {
      hasCalls ||= event.type === 'call';
      yield event;
    }
  };
  for await (const event of model.ask(described, signal)) {
    if (event.type === 'text') yield* pass(reader.read(event.text));
    else if (event.type === 'end') {
      yield* pass(reader.end());
      yield hasCalls && event.reason === 'stop' ? { ...event, reason: 'calls' } : event;
    } else yield event;
  }
}

/** Returns the part of the system prompt that describes the tools and how to call them. */
function describe(tools: readonly OfferedTool[]): string {
  const list = tools.map(({ name, description, inputSchema }) => {
    return `Tool ${name}${description === undefined ? '' : `: ${description}`}\nArguments as JSON Schema: ${JSON.stringify(inputSchema)}`;
  });
  return `You can call these tools:

${list.join('\n\n')}

To call a tool, answer with only one JSON object on its own:
{"tool": "NAME", "arguments": {…}}
For several calls, write several such objects. Then wait: the next message has the results. If you need no tool, answer in plain text.`;
}

/** Rewrites calls and results, which a model without native calling can't have, as text. */
function asText({ role, parts }: ChatMessage): ChatMessage {
  const rewritten = parts.flatMap((part): readonly ChatPart[] => {
    if (part.type === 'call') return [{ type: 'text', text: callText(part.name, part.arguments) }];
    if (part.type !== 'result') return [part];
    const head = `${part.isError ? 'Error' : 'Result'} of ${part.name}:`;
    return [{ type: 'text', text: head }, ...part.parts];
  });
  return { role: role === 'tool' ? 'user' : role, parts: rewritten };
}

function callText(name: string, args: string): string {
  try {
    return JSON.stringify({ tool: name, arguments: JSON.parse(args) });
  } catch {
    // The model wrote it, so it may see its mistake.
    return `{"tool":${JSON.stringify(name)},"arguments":${args}}`;
  }
}

const NAMES = ['tool', 'name', 'tool_name', 'function'];
const ARGUMENTS = ['arguments', 'args', 'parameters', 'input'];
/** Most characters of a marker, with the white space after it. */
const MOST_MARKER_CHARS = 60;
/** Markers that models write around a call: code fences, and tags of their training. */
const BEFORE = /(?:```[a-z]*[ \t]*\n?\s*|<tool_call>\s*)$/i;
const AFTER = /^\s*(?:```|<\/tool_call>)[ \t]*\n?/;

/** The characters that may be between a call and the next one, or the end of its line. */
const GAP = /^[\s\],]*(?:(?:```|<\/tool_call>)[\s\],]*)?(?:(?:```[a-z]*|<tool_call>)\s*)?$/i;

interface FoundCall {
  readonly name: string;
  readonly args: string;
}

/** Finds calls in streamed text. Text before and between them passes; text that may be a call is held back. */
class CallReader {
  readonly #names: ReadonlySet<string>;
  #held = '';
  #depth = 0;
  /** Nothing but white space since the object began. */
  #isEmpty = false;
  #isInString = false;
  #isEscaped = false;
  /** How far `#held` is scanned. */
  #at = 0;
  /** Start of the object that may be a call; -1 outside. */
  #start = -1;
  /** The line of released text goes on. */
  #isMidLine = false;
  /** Calls on one line, until it is known what follows them: an object within a sentence is quoted, not called. */
  #line: { readonly start: number; end: number; readonly calls: FoundCall[] } | undefined;
  #calls = 0;
  /** After a call: white space and an end marker are dropped. */
  #isAfterCall = false;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  read(text: string): ModelEvent[] {
    this.#held += text;
    const events: ModelEvent[] = [];
    for (; this.#at < this.#held.length; this.#at++) {
      const character = this.#held[this.#at]!;
      if (this.#start < 0) {
        if (character === '{') {
          if (this.#line && !this.#isGap(this.#at)) this.#line = undefined;
          this.#start = this.#at;
          this.#depth = 1;
          this.#isEmpty = true;
        } else if (character === '\n' && this.#line && !this.#call(events, this.#at)) this.#line = undefined;
      } else if (this.#isEmpty && !/[\s"}]/.test(character)) {
        // Braces of prose or code.
        this.#start = -1;
        this.#line = undefined;
      } else if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString) {
        if (character === '\\') this.#isEscaped = true;
        else if (character === '"') this.#isInString = false;
      } else if (character === '"') {
        this.#isInString = true;
        this.#isEmpty = false;
      } else if (character === '{') this.#depth++;
      else if (character === '}' && --this.#depth === 0) this.#close();
    }
    const held = this.#line?.start ?? this.#start;
    if (held < 0) this.#release(events, markerStart(this.#held));
    else if (this.#held.length - held > MOST_HELD_CHARS) {
      this.#start = -1;
      this.#line = undefined;
      this.#isInString = false;
      this.#release(events, this.#held.length);
    }
    return events;
  }

  end(): ModelEvent[] {
    const events: ModelEvent[] = [];
    if (this.#line && this.#start < 0) this.#call(events, this.#held.length);
    this.#release(events, this.#held.length);
    return events;
  }

  /** An object ends: it may be a call, or it was text. */
  #close(): void {
    const [start, end] = [this.#start, this.#at + 1];
    const calls = callsIn(this.#held.slice(start, end), this.#names);
    if (calls.length === 0) this.#line = undefined;
    else if (this.#line) {
      this.#line.calls.push(...calls);
      this.#line.end = end;
    } else if (this.#startsLine(start)) this.#line = { start, end, calls: [...calls] };
    this.#start = -1;
  }

  /** Nothing but white space and markers is before an object on its line. */
  #startsLine(start: number): boolean {
    const before = this.#held.slice(0, start);
    return [before, withoutMarker(before)].some((text) => {
      const newline = text.lastIndexOf('\n');
      return (newline >= 0 || !this.#isMidLine) && /^[\s[,]*$/.test(text.slice(newline + 1));
    });
  }

  /** Nothing but white space and markers is between the calls of the line and `end`. */
  #isGap(end: number): boolean {
    const from = this.#line!.end;
    return end - from <= 2 * MOST_MARKER_CHARS && GAP.test(this.#held.slice(from, end));
  }

  /** The line of the calls ends at `end`: reports them, or returns false if they are part of a sentence. */
  #call(events: ModelEvent[], end: number): boolean {
    if (!this.#isGap(end)) return false;
    const line = this.#line!;
    this.#pass(events, withoutMarker(this.#held.slice(0, line.start)));
    for (const { name, args } of line.calls) {
      events.push({ type: 'call', call: { id: `described-${++this.#calls}`, name, arguments: args } });
    }
    this.#held = this.#held.slice(line.end);
    this.#at -= line.end;
    this.#line = undefined;
    this.#isMidLine = false;
    this.#isAfterCall = true;
    return true;
  }

  /** Lets the first characters of the held text pass. */
  #release(events: ModelEvent[], count: number): void {
    const text = this.#held.slice(0, count);
    const newline = text.lastIndexOf('\n');
    this.#isMidLine = (newline < 0 && this.#isMidLine) || /\S/.test(text.slice(newline + 1));
    this.#pass(events, text);
    this.#held = this.#held.slice(count);
    this.#at = this.#held.length;
  }

  #pass(events: ModelEvent[], text: string): void {
    let rest = text;
    if (this.#isAfterCall) {
      rest = rest.replace(AFTER, '').replace(/^[\s\],]+/, '');
      if (rest === '') return;
      this.#isAfterCall = false;
    }
    if (rest !== '') events.push({ type: 'text', text: rest });
  }
}

/** Removes the marker of a call from the end of the text before it. */
function withoutMarker(text: string): string {
  // Only the end is searched: a long run of white space would cost quadratic time.
  const from = Math.max(0, text.length - MOST_MARKER_CHARS);
  const end = text
    .slice(from)
    .replace(/[[,]\s*$/, '')
    .replace(BEFORE, '');
  return text.slice(0, from) + end;
}

/** Returns where text ends that can't be the marker of a coming call. A marker is short. */
function markerStart(text: string): number {
  const from = Math.max(0, text.length - MOST_MARKER_CHARS);
  const tail = text.slice(from);
  const marker = /(?:`{1,3}[a-z]*\s*|<[a-z_/]*>?\s*|\[\s*|\s+)$/i.exec(tail);
  return marker === null ? text.length : from + marker.index;
}

/** Returns the calls in a JSON object. A name must be offered, unless the object has exactly the form we ask for. */
function callsIn(text: string, names: ReadonlySet<string>): FoundCall[] {
  let value: unknown;
  try {
    value = parseBounded(text);
  } catch {
    return brokenCall(text, names);
  }
  if (!isObject(value)) return [];
  const list = own(value, 'calls') ?? own(value, 'tool_calls');
  const found = (Array.isArray(list) ? list : [value]).map((item) => callIn(item, names));
  return found.some((call) => call === undefined) ? [] : found.flatMap((call) => (call === undefined ? [] : [call]));
}

function callIn(value: unknown, names: ReadonlySet<string>): FoundCall | undefined {
  if (!isObject(value)) return undefined;
  const inner = own(value, 'function');
  if (isObject(inner)) return callIn(inner, names);
  const name = firstOf(value, NAMES);
  if (typeof name !== 'string') return undefined;
  const args = firstOf(value, ARGUMENTS);
  const isOurForm = Object.hasOwn(value, 'tool') && Object.hasOwn(value, 'arguments');
  if (!names.has(name) && !isOurForm) return undefined;
  return { name, args: typeof args === 'string' ? args : JSON.stringify(args ?? {}) };
}

function firstOf(value: JsonObject, keys: readonly string[]): unknown {
  const key = keys.find((one) => Object.hasOwn(value, one));
  return key === undefined ? undefined : value[key];
}

const BROKEN = /^\{\s*"(?:tool|name)"\s*:\s*"([^"\\]{1,128})"\s*,\s*"(?:arguments|args|parameters)"\s*:\s*([\s\S]*)\}$/;

/** Returns a call whose JSON is invalid, so that the model learns of its mistake. */
function brokenCall(text: string, names: ReadonlySet<string>): FoundCall[] {
  const [, name = '', args = ''] = BROKEN.exec(text) ?? [];
  return names.has(name) ? [{ name, args }] : [];
}
