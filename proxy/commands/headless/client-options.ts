import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withoutBom } from '@/lib/json/parse';
import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type ClientHandler, type ClientHandlers, ErrorResponse } from '@/lib/mcp/answering';
import { ClientTasks, withTasks } from '@/lib/mcp/client-tasks';
import { capabilitiesFor } from '@/lib/mcp/declared-capabilities';
import { ALL_CAPABILITIES, type ClientCapabilities, capabilitiesProblem } from '@/lib/wire/client-capabilities';
import {
  type ClientProfile,
  declaredBy,
  type HostProfile,
  metaProblem,
  profileProblem,
} from '@/lib/wire/client-profile';
import { docsUrl } from '@/lib/wire/docs-url';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { QuestionAnswer } from '@/lib/wire/message';
import { EXTENSION, METHOD } from '@/lib/wire/protocol-names';
import { choiceOf } from '@/proxy/cli/choice';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import { readSeconds } from '@/proxy/cli/seconds';
import { readFileArgument, readInput, readText } from './call-arguments';
import type { ServerClient } from './server-connection';

/** The client that the options of a subcommand describe. */
export interface ClientOptions {
  /** How long each step of the handshake waits, in ms. Absent: like any request. */
  readonly handshakeMs?: number | undefined;
  readonly profile: ClientProfile;
  /** The capabilities are sent as they are in every version, to see what a server makes of them. */
  readonly isExact: boolean;
  readonly answers: ReadonlyMap<QuestionMethod, FileAnswers | ClientHandler>;
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

export type QuestionMethod = keyof typeof QUESTIONS;

const METHODS = Object.keys(QUESTIONS) as readonly QuestionMethod[];

/** Options that describe the client. */
const OPTIONS = ['as', 'capabilities', 'answers', 'client', 'meta', 'request-timeout'] as const;

/**
 * Reads the options that describe the client; undefined if none is given. With `--task` or `usesTasks` the client also
 * declares the extension for tasks, unless `--capabilities` says what to declare. Throws an ExitError.
 */
export async function readClientOptions(given: ParsedOptions, usesTasks = false): Promise<ClientOptions | undefined> {
  const values = Object.fromEntries(OPTIONS.map((name) => [name, lastValue(given, name)]));
  const first = OPTIONS.find((name) => values[name] !== undefined);
  const hasTasks = usesTasks || given.has('task');
  if (first === undefined && !hasTasks) return undefined;
  if (lastValue(given, 'protocol') === 'none' && /^(?:as|capabilities|answers|client)$/.test(first ?? '')) {
    throw usageError(
      `\`--protocol none\` sends nothing by itself, so \`--${first}\` has no effect: remove one of them.`,
    );
  }
  const { capabilities: wanted, answers: file, client, meta, 'request-timeout': timeout } = values;
  const answers = file === undefined ? new Map<QuestionMethod, FileAnswers>() : await readAnswers(file);
  const host = await readHost(values.as);
  const profile = {
    ...host?.client,
    ...(wanted !== undefined
      ? { capabilities: await readCapabilities(wanted) }
      : !host && { capabilities: impliedBy(answers, hasTasks) }),
    ...(client !== undefined && { info: readInfo(client) }),
    ...(meta !== undefined && { meta: await readMeta(meta) }),
    ...(timeout !== undefined && { timeouts: { silenceMs: readSeconds('request-timeout', timeout) } }),
  };
  const problem = profileProblem(profile);
  if (problem !== undefined) throw usageError(problem);
  const isExact = host !== undefined || (wanted !== undefined && wanted !== 'all');
  return { profile, isExact, answers: host?.roots === 'folders' ? new Map([FOLDER, ...answers]) : answers };
}

/** Reads `--as`; undefined without it. Throws an ExitError. */
export async function readHost(id: string | undefined): Promise<HostProfile | undefined> {
  if (id === undefined) return undefined;
  const { HOST_PROFILES } = await import('@/features/host-profiles');
  const known = choiceOf(
    '--as',
    id,
    HOST_PROFILES.map((profile) => profile.id),
  );
  return HOST_PROFILES.find((profile) => profile.id === known);
}

/** Answers `roots/list` as a host does that was started in this folder. */
const FOLDER: readonly [QuestionMethod, ClientHandler] = [
  'roots/list',
  () => {
    const folder = process.cwd();
    return JSON.stringify({ roots: [{ uri: pathToFileURL(folder).href, name: basename(folder) }] });
  },
];

/** Returns the capabilities of a client that names none: what it has answers for, and tasks if it uses them. */
export function impliedBy(answers: ClientOptions['answers'], hasTasks: boolean): ClientCapabilities {
  const names = [...answers.keys()].map((method) => QUESTIONS[method]);
  return {
    ...Object.fromEntries(names.map((name) => [name, ALL_CAPABILITIES[name]])),
    ...(hasTasks && { extensions: { [EXTENSION.tasks]: {} } }),
  };
}

/** Reads `--client NAME@VERSION`, or the same as JSON with a title. Throws an ExitError. */
function readInfo(text: string): ClientProfile['info'] {
  const wrong = usageError(
    `\`--client ${text.slice(0, 60)}\` is not a client: write NAME, NAME@VERSION or {"name":…,"title":…,"version":…}.`,
  );
  if (!text.startsWith('{')) {
    const [, name, version] = /^(.+?)(?:@([^@]+))?$/s.exec(text) ?? [];
    if (name === undefined) throw wrong;
    return { name, ...(version !== undefined && { version }) };
  }
  const value = JsonSource.parse(text)?.value;
  if (!isObject(value)) throw wrong;
  const known = Object.entries(value).every(
    ([key, part]) => /^(?:name|title|version|description|websiteUrl)$/.test(key) && typeof part === 'string',
  );
  if (!known) throw wrong;
  return value as ClientProfile['info'];
}

/** Reads the value of `--capabilities`. Throws an ExitError. */
async function readCapabilities(wanted: string): Promise<ClientCapabilities> {
  if (wanted === 'all') return ALL_CAPABILITIES;
  if (!IS_JSON.test(wanted)) {
    const what = `\`--capabilities ${wanted.slice(0, 60)}\``;
    throw usageError(`${what} is neither \`all\` nor a JSON object: write \`all\`, {…}, @FILE or -.`);
  }
  const declared: unknown = JSON.parse(await readInput(wanted));
  const problem = capabilitiesProblem(declared);
  if (problem !== undefined) throw usageError(`\`--capabilities\`: ${problem}`);
  return declared as ClientCapabilities;
}

const IS_JSON = /^\s*\{|^@|^-$/;

async function readMeta(wanted: string): Promise<JsonObject> {
  if (!IS_JSON.test(wanted)) {
    throw usageError(`\`--meta ${wanted.slice(0, 60)}\` is not a JSON object: write {…}, @FILE or -.`);
  }
  const meta: unknown = JSON.parse(await readInput(wanted));
  const problem = metaProblem(meta);
  if (problem !== undefined) throw usageError(`\`--meta\`: ${problem}`);
  return meta as JsonObject;
}

async function readAnswers(path: string): Promise<ClientOptions['answers']> {
  const file = withoutBom(path === '-' ? await readText(path) : await readFileArgument(path, 'after `--answers`'));
  const content = JsonSource.parse(file);
  const fail = (what: string): never => {
    throw usageError(`The answers in \`${path}\` can’t be used: ${what} See ${docsUrl('answering')}.`);
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

/** The connection, as far as its answers need it. */
interface AnswerHost {
  printNote(text: string): void;
  logEvent(event: LifecycleEvent): void;
  /** Sends a notification, unless the server is gone. */
  notify(method: string, params: string): void;
}

/** Returns the client for one connection. It answers every question that it declares or has answers for. */
export function serverClient(
  { profile, isExact, answers, handshakeMs }: ClientOptions,
  host: AnswerHost,
): ServerClient {
  const { info, meta, timeouts } = profile;
  const declared = declaredBy(profile);
  const asked = METHODS.filter(
    (method) =>
      declared[QUESTIONS[method]] !== undefined ||
      answers.has(method) ||
      (method === 'roots/list' && profile.answersRoots),
  );
  const handlers: ClientHandlers = new Map(
    asked.map((method) => [method, answering(method, answers.get(method), host)] as const),
  );
  const tasks = new ClientTasks({
    newId: randomUUID,
    now: () => new Date().toISOString(),
    onEnded: (task: JsonObject) => host.notify(METHOD.taskStatus, JSON.stringify(task)),
  });
  return {
    info,
    capabilities: isExact ? (declared as JsonObject) : (version) => capabilitiesFor(declared, version),
    handlers: declared.tasks ? withTasks(handlers, declared.tasks, tasks) : handlers,
    ...(meta && { meta }),
    handshakeMs: handshakeMs ?? timeouts?.startMs ?? timeouts?.silenceMs,
    ...(timeouts?.silenceMs !== undefined && { times: { timeoutMs: timeouts.silenceMs } }),
  };
}

/** Code of an error by which a client refuses sampling. */
const REFUSED = -1;

/** The answers that the user did not give: there is nobody to ask. */
const NOBODY: Readonly<Record<QuestionMethod, QuestionAnswer>> = {
  'elicitation/create': { result: '{"action":"cancel"}' },
  'sampling/createMessage': { error: { code: REFUSED, message: 'There is nobody to answer' } },
  'roots/list': { result: '{"roots":[]}' },
};

function answering(
  method: QuestionMethod,
  given: FileAnswers | ClientHandler | undefined,
  host: AnswerHost,
): ClientHandler {
  if (typeof given === 'function') return given;
  let used = 0;
  return (params, { id, key, signal }) => {
    // A request and its cancellation may arrive in one chunk.
    signal.throwIfAborted();
    const answer = given?.list[given.isList ? used++ : 0];
    if (answer) host.logEvent({ event: 'standing-answer', id, method, ...(key !== undefined && { key }) });
    else if (method !== 'roots/list' || given) host.printNote(noAnswerText(method, given));
    if (answer && isFormContent(answer, params)) host.printNote(CONTENT_FOR_URL);
    const sent = answer ?? NOBODY[method];
    if ('error' in sent) throw new ErrorResponse(sent.error.code, sent.error.message);
    return sent.result.replace(/[\r\n]/g, ' ');
  };
}

const CONTENT_FOR_URL =
  'The server asked to open a URL, but the answer in the file has `content`, which only forms have. It was sent as it is. Answer a URL with {"action":"accept"} alone.';

/** True for an answer with the content of a form to a question that asks to open a URL. */
function isFormContent(answer: QuestionAnswer, params: unknown): boolean {
  if ('error' in answer || !isObject(params) || own(params, 'mode') !== 'url') return false;
  return JsonSource.parse(answer.result)?.member('content') !== undefined;
}

function noAnswerText(method: QuestionMethod, given: FileAnswers | undefined): string {
  const why = given
    ? 'the file with answers has no more for it'
    : 'there is no answer: give some with `--answers FILE`';
  const sent = NOBODY[method];
  const how = 'error' in sent ? 'refused it' : `sent ${sent.result}`;
  return `The server asked for ${method}, but ${why}. mcp-inspect ${how}.`;
}
