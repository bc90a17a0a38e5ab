import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { withoutBom } from '@/lib/json/parse';
import { JsonSource } from '@/lib/json/source';
import type { JsonObject } from '@/lib/json/value';
import { type ClientHandler, type ClientHandlers, capabilitiesFor, ErrorResponse } from '@/lib/mcp/answering';
import { withTasks } from '@/lib/mcp/client-tasks';
import { ALL_CAPABILITIES, type ClientCapabilities, capabilitiesProblem } from '@/lib/wire/client-capabilities';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { QuestionAnswer } from '@/lib/wire/message';
import { usageError } from '@/proxy/cli/exit-code';
import { type GivenOptions, lastValue } from '@/proxy/cli/grammar';
import { readInput } from './call-arguments';
import type { ClientProfile } from './server-connection';

/** The client that `--capabilities` and `--answers` describe. */
export interface ClientOptions {
  readonly capabilities: ClientProfile['capabilities'];
  /** Names of the capabilities, in any version. */
  readonly declares: ReadonlySet<string>;
  readonly answers: ReadonlyMap<QuestionMethod, FileAnswers>;
}

/** Answers to one kind of question: one for all, or a list for one question each. */
interface FileAnswers {
  readonly list: readonly QuestionAnswer[];
  readonly isList: boolean;
}

/** A question of the server, and the capability that allows it. */
const QUESTIONS = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const satisfies Record<string, keyof ClientCapabilities>;

type QuestionMethod = keyof typeof QUESTIONS;

const METHODS = Object.keys(QUESTIONS) as readonly QuestionMethod[];

/** Reads `--capabilities` and `--answers`; undefined if neither is given. Throws an ExitError. */
export async function readClientOptions(given: GivenOptions): Promise<ClientOptions | undefined> {
  const [wanted, file] = [lastValue(given, 'capabilities'), lastValue(given, 'answers')];
  if (wanted === undefined && file === undefined) return undefined;
  if (given.has('no-handshake')) {
    const option = wanted === undefined ? 'answers' : 'capabilities';
    throw usageError(
      `\`--no-handshake\` sends nothing by itself, so \`--${option}\` has no effect: remove one of them.`,
    );
  }
  const answers = file === undefined ? new Map<QuestionMethod, FileAnswers>() : readAnswers(file);
  return { ...(wanted === undefined ? impliedBy(answers) : await readCapabilities(wanted)), answers };
}

/** Without `--capabilities`, the client declares what it has answers for. */
function impliedBy(answers: ClientOptions['answers']): Omit<ClientOptions, 'answers'> {
  const names = [...answers.keys()].map((method) => QUESTIONS[method]);
  const declared: ClientCapabilities = Object.fromEntries(names.map((name) => [name, ALL_CAPABILITIES[name]]));
  return { capabilities: (version) => capabilitiesFor(declared, version), declares: new Set(names) };
}

async function readCapabilities(wanted: string): Promise<Omit<ClientOptions, 'answers'>> {
  if (wanted === 'all') {
    const declares = new Set(Object.keys(ALL_CAPABILITIES));
    return { capabilities: (version) => capabilitiesFor(ALL_CAPABILITIES, version), declares };
  }
  if (!/^\s*\{|^@|^-$/.test(wanted)) {
    const what = `\`--capabilities ${wanted.slice(0, 60)}\``;
    throw usageError(`${what} is neither \`all\` nor a JSON object: write \`all\`, {…}, @FILE or -.`);
  }
  const declared: unknown = JSON.parse(await readInput(wanted));
  const problem = capabilitiesProblem(declared);
  if (problem !== undefined) throw usageError(`\`--capabilities\`: ${problem}`);
  // Sent as it is in every version, to see what a server makes of it.
  return { capabilities: declared as JsonObject, declares: new Set(Object.keys(declared as JsonObject)) };
}

function readAnswers(path: string): ClientOptions['answers'] {
  const file = readFile(path);
  const content = JsonSource.parse(file);
  const fail = (what: string): never => {
    throw usageError(`The answers in \`${path}\` can’t be used: ${what} See docs/answering.md.`);
  };
  if (content?.kind !== 'object') return fail('The file must hold a JSON object with answers by method.');
  return new Map(
    Object.keys(content.value as JsonObject).map((key) => {
      const method = METHODS.find((known) => known === key);
      if (method === undefined) {
        return fail(`There is no question ${JSON.stringify(key.slice(0, 100))}: choose from ${METHODS.join(', ')}.`);
      }
      const value = content.member(key)!;
      const isList = value.kind === 'array';
      const written = isList ? value.children(Number.POSITIVE_INFINITY).children.map(({ source }) => source) : [value];
      const list = written.map((answer) => toAnswer(answer) ?? fail(`An answer to ${method} ${ANSWER_FORM}`));
      return [method, { list, isList }];
    }),
  );
}

const ANSWER_FORM = 'must have a `result` that is an object, or an `error` with `code` and `message`.';

function readFile(path: string): string {
  try {
    return withoutBom(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(`The file \`${path}\` can’t be read (${code}): check the path after \`--answers\`.`);
  }
}

/** Reads an answer in the form of standing answers, with the exact text of its result, which may also be JSON. */
function toAnswer(source: JsonSource): QuestionAnswer | undefined {
  const [result, error] = [source.member('result'), source.member('error')];
  if (result?.kind === 'object') return { result: result.text };
  if (result?.kind === 'string') {
    const text = String(result.value);
    return JsonSource.parse(text)?.kind === 'object' ? { result: text } : undefined;
  }
  const [code, message] = [error?.member('code')?.value, error?.member('message')?.value];
  return Number.isSafeInteger(code) && typeof message === 'string'
    ? { error: { code: code as number, message } }
    : undefined;
}

/** Reports the use of an answer. */
interface AnswerHost {
  printNote(text: string): void;
  logEvent(event: LifecycleEvent): void;
}

/** Returns the client for one connection. It answers every question that it declares or has answers for. */
export function clientProfile({ capabilities, declares, answers }: ClientOptions, host: AnswerHost): ClientProfile {
  const asked = METHODS.filter((method) => declares.has(QUESTIONS[method]) || answers.has(method));
  const handlers: ClientHandlers = new Map(
    asked.map((method) => [method, answering(method, answers.get(method), host)] as const),
  );
  const tasks = { newId: randomUUID, now: () => new Date().toISOString() };
  return { info: undefined, capabilities, handlers: declares.has('tasks') ? withTasks(handlers, tasks) : handlers };
}

/** Code of an error by which a client refuses sampling. */
const REFUSED = -1;

/** The answers that the user did not give: there is nobody to ask. */
const NOBODY: Readonly<Record<QuestionMethod, QuestionAnswer>> = {
  'elicitation/create': { result: '{"action":"cancel"}' },
  'sampling/createMessage': { error: { code: REFUSED, message: 'There is nobody to answer' } },
  'roots/list': { result: '{"roots":[]}' },
};

function answering(method: QuestionMethod, given: FileAnswers | undefined, host: AnswerHost): ClientHandler {
  let used = 0;
  return (_params, { id, key, signal }) => {
    // A request and its cancellation may arrive in one chunk.
    signal.throwIfAborted();
    const answer = given?.list[given.isList ? used++ : 0];
    if (answer) host.logEvent({ event: 'standing-answer', id, method, ...(key !== undefined && { key }) });
    else if (method !== 'roots/list' || given) host.printNote(noAnswerText(method, given));
    const sent = answer ?? NOBODY[method];
    if ('error' in sent) throw new ErrorResponse(sent.error.code, sent.error.message);
    return sent.result.replace(/[\r\n]/g, ' ');
  };
}

function noAnswerText(method: QuestionMethod, given: FileAnswers | undefined): string {
  const why = given
    ? 'the file with answers has no more for it'
    : 'there is no answer: give some with `--answers FILE`';
  const sent = NOBODY[method];
  const how = 'error' in sent ? 'refused it' : `sent ${sent.result}`;
  return `The server asked for ${method}, but ${why}. mcp-inspect ${how}.`;
}
