import { isObject, type JsonObject, own, textOrJson as textOf } from '@/lib/json/value';
import { type ClientHandler, ErrorResponse } from '@/lib/mcp/answering';
import { asksForSecret } from '@/lib/wire/secret-questions';
import type { Line } from '@/proxy/cli/output';
import { type ClientOptions, impliedBy, type QuestionMethod } from '@/proxy/commands/headless/client-options';
import { blockText, jsonLine } from '@/proxy/commands/shared/format-content';
import { askJson } from './ask-json';
import type { ChatTerminal } from './chat-terminal';

/** Asks the model of the chat for a completion. */
type Complete = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** How questions of servers are answered. */
interface AnsweringOptions {
  readonly server: string;
  readonly terminal: ChatTerminal;
  readonly complete: Complete;
  /** Called when a question begins and ends to wait for the person. */
  readonly waiting: (isWaiting: boolean) => void;
  /** The client of the command line. Its answers come first. */
  readonly given: ClientOptions | undefined;
}

/** Code of an error by which a client refuses sampling. */
const REFUSED = -1;

/** Returns the client of a chat in a terminal: a person answers what servers ask. */
export function askingClient({ server, terminal, complete, waiting, given }: AnsweringOptions): ClientOptions {
  let questions = 0;
  const waitingFor =
    (handler: ClientHandler): ClientHandler =>
    async (params, context) => {
      if (questions++ === 0) waiting(true);
      try {
        return await terminal.dialogue(async () => handler(params, context));
      } finally {
        if (--questions === 0) waiting(false);
      }
    };
  const asked = new Map<QuestionMethod, ClientHandler>([
    ['elicitation/create', waitingFor((params, { signal }) => elicit(server, params, terminal, signal))],
    ['sampling/createMessage', waitingFor((params, { signal }) => sample(server, params, terminal, complete, signal))],
  ]);
  const answers = new Map([...asked, ...(given?.answers ?? [])]);
  const profile = given?.profile.capabilities && given.isExact ? given.profile : undefined;
  return {
    profile: profile ?? { ...given?.profile, capabilities: impliedBy(answers, false) },
    isExact: profile !== undefined,
    answers,
  };
}

async function elicit(server: string, params: unknown, terminal: ChatTerminal, signal: AbortSignal): Promise<string> {
  const given = isObject(params) ? params : {};
  const message: Line[] = [[{ text: `${server} asks: `, tone: 'strong' }, textOf(own(given, 'message'))]];
  const url = own(given, 'url');
  if (own(given, 'mode') === 'url' || typeof url === 'string') {
    const before = [...message, [textOf(url)]];
    return jsonLine({ action: await askAction('Open this address yourself. Agree?', before, terminal, signal) });
  }
  const action = await askAction('Answer it?', message, terminal, signal);
  if (action !== 'accept') return jsonLine({ action });
  const schema = own(given, 'requestedSchema');
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const required = isObject(schema) ? own(schema, 'required') : undefined;
  const content: Record<string, unknown> = {};
  for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
    const isRequired = Array.isArray(required) && required.includes(name);
    const value = await askField(server, name, isObject(property) ? property : {}, isRequired, terminal, signal);
    if (value === CANCELLED) return jsonLine({ action: 'cancel' });
    if (value !== undefined) Object.defineProperty(content, name, { value, enumerable: true });
  }
  return jsonLine({ action: 'accept', content });
}

/** Asks until the answer is one of the three. */
async function askAction(
  question: string,
  before: readonly Line[],
  terminal: ChatTerminal,
  signal: AbortSignal,
): Promise<'accept' | 'decline' | 'cancel'> {
  for (let isFirst = true; ; isFirst = false) {
    const text = await terminal.ask(`${question} (y, n to decline, Enter alone to cancel) `, {
      signal,
      ...(isFirst && { before }),
    });
    const word = text?.trim() ?? '';
    if (word === '') return 'cancel';
    const agreed = BOOLEANS.get(word.toLowerCase());
    if (agreed !== undefined) return agreed ? 'accept' : 'decline';
  }
}

const CANCELLED = Symbol('cancelled');

/**
 * Asks for a field until the value fits. Resolves with undefined for an optional field that stays empty. The prompt
 * names the server, so that no field looks like a question of ours.
 */
async function askField(
  server: string,
  name: string,
  property: JsonObject,
  isRequired: boolean,
  terminal: ChatTerminal,
  signal: AbortSignal,
): Promise<unknown> {
  const [title, description, preset] = ['title', 'description', 'default'].map((key) => own(property, key));
  const choices = choicesOf(property);
  const before: Line[] = [
    ...(typeof description === 'string' ? [[{ text: `  ${oneLine(description)}`, tone: 'muted' } as const]] : []),
    ...choices.map((choice, at): Line => [`  ${at + 1}  ${oneLine(textOf(choice.title ?? choice.value))}`]),
  ];
  const hint = preset !== undefined ? ` [${textOf(preset)}]` : isRequired ? '' : ' (optional)';
  const hidden = asksForSecret({ requestedSchema: { properties: { [name]: property } } });
  const prompt = `  ${server}: ${typeof title === 'string' ? title : name}${hint}: `;
  for (;;) {
    const text = await terminal.ask(prompt, { signal, hidden, before });
    if (text === undefined) return CANCELLED;
    if (text === '' && preset !== undefined) return preset;
    if (text === '' && !isRequired) return undefined;
    const value = fieldValue(text, property, choices);
    if (value !== undefined) return value;
    terminal.print([{ text: `  Expected ${expectedOf(property, choices)}.`, tone: 'warn' }]);
  }
}

/** Keeps a text from looking like lines of ours. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

interface FieldChoice {
  readonly value: unknown;
  readonly title?: unknown;
}

/** Returns the values of an `enum` or `oneOf`, also those of the items of a list. */
function choicesOf(property: JsonObject): readonly FieldChoice[] {
  const items = own(property, 'items');
  const at = isObject(items) ? items : property;
  const values = own(at, 'enum');
  if (Array.isArray(values)) return values.map((value: unknown) => ({ value }));
  const options = own(at, 'oneOf') ?? own(at, 'anyOf');
  if (!Array.isArray(options)) return [];
  return options.filter(isObject).map((option) => ({ value: own(option, 'const'), title: own(option, 'title') }));
}

function fieldValue(text: string, property: JsonObject, choices: readonly FieldChoice[]): unknown {
  const type = own(property, 'type');
  if (type === 'array') {
    const chosen = text.split(',').map((word) => choiceOf(word.trim(), choices));
    return chosen.includes(undefined) ? undefined : chosen;
  }
  if (choices.length > 0) return choiceOf(text.trim(), choices);
  if (type === 'boolean') return BOOLEANS.get(text.trim().toLowerCase());
  if (type !== 'number' && type !== 'integer') return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : undefined;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['y', 'yes', 'true'].map((word) => [word, true] as const),
  ...['n', 'no', 'false'].map((word) => [word, false] as const),
]);

/** Finds a choice by its value, else by its number. */
function choiceOf(text: string, choices: readonly FieldChoice[]): unknown {
  const numbered = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined;
  return (choices.find(({ value }) => textOf(value) === text) ?? numbered)?.value;
}

function expectedOf(property: JsonObject, choices: readonly FieldChoice[]): string {
  const type = own(property, 'type');
  if (type === 'array') return 'numbers or values of the list, with commas between them';
  if (choices.length > 0) return 'a number or a value of the list';
  return type === 'boolean' ? 'y or n' : type === 'integer' ? 'a whole number' : 'a number';
}

/** Characters of a sampling request that are shown. */
const SHOWN_CHARS = 4000;

/** Lets the person answer a sampling request, or the model, whose answer the person sees before the server. */
async function sample(
  server: string,
  params: unknown,
  terminal: ChatTerminal,
  complete: Complete,
  signal: AbortSignal,
): Promise<string> {
  let given = isObject(params) ? params : {};
  let before = requestLines(server, given);
  for (;;) {
    const question = 'Let it answer? (y/n, e to change it first, h to answer by hand) ';
    const word = (await terminal.ask(question, { signal, before }))?.trim().toLowerCase();
    before = [];
    if (word === 'h') {
      const answer = await terminal.ask('Answer in the model’s place: ', { signal, multiline: true });
      if (answer !== undefined)
        return jsonLine({ role: 'assistant', content: { type: 'text', text: answer }, model: 'person' });
    } else if (word === 'e') {
      const text = await askJson(terminal, 'Request (empty goes back): ', jsonLine(given), signal);
      if (text !== undefined) {
        given = JSON.parse(text) as JsonObject;
        before = requestLines(server, given);
      }
    } else if (word === undefined || BOOLEANS.get(word) === false) throw refusal();
    else if (BOOLEANS.get(word)) return review(await complete(given, signal), terminal, signal);
  }
}

/** Lets the person change what the model answered, send it or refuse it. */
async function review(answer: JsonObject, terminal: ChatTerminal, signal: AbortSignal): Promise<string> {
  let before = answerLines(answer);
  for (;;) {
    const question = 'Send it to the server? (y/n, e to change it first) ';
    const word = (await terminal.ask(question, { signal, before }))?.trim().toLowerCase();
    before = [];
    if (word === undefined || BOOLEANS.get(word) === false) throw refusal();
    if (BOOLEANS.get(word)) return jsonLine(answer);
    const changed = word === 'e' ? await changeAnswer(answer, terminal, signal) : undefined;
    if (changed === undefined) continue;
    answer = changed;
    before = answerLines(answer);
  }
}

/** Asks for the text of an answer, or for the whole as JSON if it is more than one line of text. */
async function changeAnswer(
  answer: JsonObject,
  terminal: ChatTerminal,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const content = own(answer, 'content');
  const text = isObject(content) && own(content, 'type') === 'text' ? own(content, 'text') : undefined;
  if (!isObject(content) || typeof text !== 'string' || /[\r\n]/.test(text)) {
    const written = await askJson(terminal, 'Answer (empty goes back): ', jsonLine(answer), signal);
    return written === undefined ? undefined : (JSON.parse(written) as JsonObject);
  }
  const typed = await terminal.ask('Answer (empty goes back): ', { signal, text, multiline: true });
  return typed === undefined || typed === '' ? undefined : { ...answer, content: { ...content, text: typed } };
}

function refusal(): ErrorResponse {
  return new ErrorResponse(REFUSED, 'User refused sampling');
}

function requestLines(server: string, params: JsonObject): readonly Line[] {
  const tools = toolsOf(params)
    .map(({ name }) => textOf(name))
    .join(', ');
  return [
    [{ text: `${server} asks the model:`, tone: 'strong' }],
    ...(tools === '' ? [] : [[`  With the tools ${shorten(tools)}`]]),
    ...shorten(samplingText(params))
      .split('\n')
      .map((line): Line => [`  ${line}`]),
  ];
}

function answerLines(answer: JsonObject): readonly Line[] {
  const content = own(answer, 'content');
  const blocks = Array.isArray(content) ? content : [content];
  const shown = blocks.map((block) => blockText(block)).join('\n');
  return [[{ text: 'The model’s answer:', tone: 'strong' }], ...shown.split('\n').map((each): Line => [`  ${each}`])];
}

/** Returns the beginning, and says how much is not shown. */
function shorten(text: string): string {
  const more = text.length - SHOWN_CHARS;
  return more > 0 ? `${text.slice(0, SHOWN_CHARS)}\n… and ${more} more characters, which are sent too` : text;
}

function toolsOf(params: JsonObject): readonly JsonObject[] {
  const tools = own(params, 'tools');
  return Array.isArray(tools) ? tools.filter(isObject) : [];
}

/** Returns what the model gets: the definitions of tools last, since they are long. */
function samplingText(params: JsonObject): string {
  const messages = own(params, 'messages');
  const system = own(params, 'systemPrompt');
  const lines = (Array.isArray(messages) ? messages : []).filter(isObject).map((message) => {
    const content = own(message, 'content');
    const blocks = Array.isArray(content) ? content : [content];
    return `${textOf(own(message, 'role'))}: ${blocks.map((block) => blockText(block)).join('\n')}`;
  });
  const definitions = toolsOf(params).map((tool) => `tool: ${jsonLine(tool)}`);
  return [...(typeof system === 'string' ? [`system: ${system}`] : []), ...lines, ...definitions].join('\n');
}
