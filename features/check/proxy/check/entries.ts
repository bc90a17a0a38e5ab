import type { CheckFinding } from '@/features/check/lib/report';
import { entryName, quotedName } from '@/features/check/lib/tool-text';
import { isObject, own } from '@/lib/json/value';
import { declares } from '@/lib/wire/declares';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { promptArgumentsOf } from '@/proxy/commands/headless/argument-notes';
import type { ServerAnswer } from '@/proxy/commands/headless/server-connection';
import type { Session, SessionStep } from './check-session';
import { codeText } from './step-connection';
import { findingsBy, type StepRule } from './step-finding';

/** Resources and templates that are read, prompts that are got, and arguments that are completed. */
const MOST_ENTRIES = 20;

/** Steps that read what is listed. They run only if calls are allowed. */
export const ENTRY_STEPS: readonly SessionStep[] = [
  { name: 'read resources', run: readResources },
  { name: 'read templates', run: readTemplates },
  { name: 'get prompts', run: getPrompts },
];

/** A step that completes the arguments of prompts and the variables of templates, as hosts do while somebody types. */
export const COMPLETION_STEP: SessionStep = {
  name: 'complete arguments',
  skips: (session) => (offersCompletions(session) ? undefined : 'The server does not declare completions.'),
  run: completeArguments,
};

const RULES = {
  'resource-unreadable': [
    'warning',
    'Listed resource that can’t be read',
    'List only resources that can be read.',
    'resources',
  ],
  'template-unreadable': [
    'warning',
    'Template that can’t be read with completed values',
    'Complete only values for which the template has a resource.',
    'resources',
  ],
  'prompt-failed': ['warning', 'Listed prompt that can’t be got', 'Mark required arguments as required.', 'prompts'],
  'prompt-values-failed': [
    'info',
    'Prompt that fails with made-up arguments',
    'Answer with error −32602 if a value is invalid. Other errors look like a fault of the server.',
    'prompts',
  ],
  'prompt-argument-ignored': [
    'warning',
    'Prompt without a required argument',
    'Answer with error −32602 if a required argument is missing, or mark it as optional.',
    'prompts',
  ],
  'completion-failed': [
    'warning',
    'Argument that can’t be completed',
    'Answer with an empty list if there is nothing to complete.',
    'completion',
  ],
} as const satisfies Record<string, StepRule>;

const finding = findingsBy(RULES);

function failedWith({ error }: Extract<ServerAnswer, { kind: 'error' }>): string {
  return `failed with ${codeText(error.code)}: ${error.message}`;
}

async function readResources(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  for (const resource of (session.listed.resources ?? []).slice(0, MOST_ENTRIES)) {
    const uri = own(resource, 'uri');
    if (typeof uri !== 'string') continue;
    const answer = await session.connection.request('resources/read', JSON.stringify({ uri }), undefined, signal);
    if (answer.kind === 'result') continue;
    const message = `${quotedName(uri)} is listed, but reading it ${failedWith(answer)}`;
    const path = `resources[${JSON.stringify(uri)}]`;
    found.push(finding(session, 'resource-unreadable', message, session.frames.newestAnswer('resources/read'), path));
  }
  return found;
}

/** Reads templates whose variables the server itself completes. */
async function readTemplates(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  if (!offersCompletions(session)) return found;
  for (const { ref, names, path } of completable(session).filter(({ template }) => template !== undefined)) {
    const values = await completedValues(session, ref, names, signal);
    if (names.length === 0 || values.size < names.length) continue;
    const uri = String(ref.uri).replace(VARIABLE, (_, name: string) => encodeURIComponent(values.get(name)!));
    // Operators and modifiers of RFC 6570 are left out.
    if (/[{}]/.test(uri)) continue;
    const answer = await session.connection.request('resources/read', JSON.stringify({ uri }), undefined, signal);
    if (answer.kind === 'result') continue;
    const message = `${quotedName(uri)} has values that the server completed, but reading it ${failedWith(answer)}`;
    found.push(finding(session, 'template-unreadable', message, session.frames.newestAnswer('resources/read'), path));
  }
  return found;
}

async function getPrompts(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  const get = (name: string, values: Readonly<Record<string, string>>) =>
    session.connection.request('prompts/get', JSON.stringify({ name, arguments: values }), undefined, signal);
  const newest = () => session.frames.newestAnswer('prompts/get');
  for (const prompt of (session.listed.prompts ?? []).slice(0, MOST_ENTRIES)) {
    const name = entryName(prompt);
    const path = `prompts[${JSON.stringify(name)}]`;
    const { required: names } = promptArgumentsOf(prompt);
    const completed = offersCompletions(session)
      ? await completedValues(session, { type: 'ref/prompt', name }, names, signal)
      : NONE;
    const values = Object.fromEntries(names.map((each) => [each, completed.get(each) ?? MADE_UP]));
    const answer = await get(name, values);
    const isMadeUp = names.some((each) => !completed.has(each));
    if (answer.kind === 'error' && !isMadeUp) {
      const how = names.length === 0 ? 'has no required argument' : 'got values that the server completed';
      found.push(
        finding(session, 'prompt-failed', `${quotedName(name)} ${how}, but ${failedWith(answer)}`, newest(), path),
      );
    }
    // The code for invalid arguments is a good answer to made-up ones.
    if (answer.kind === 'error' && isMadeUp && answer.error.code !== RPC_CODE.invalidParams) {
      found.push(finding(session, 'prompt-values-failed', `${quotedName(name)} ${failedWith(answer)}`, newest(), path));
    }
    if (names.length === 0) continue;
    const bare = await get(name, {});
    if (bare.kind === 'error') continue;
    const message = `${quotedName(name)} was got without ${quotedName(names[0]!)}, which it declares as required.`;
    found.push(finding(session, 'prompt-argument-ignored', message, newest(), path));
  }
  return found;
}

/** A value for an argument that the server does not complete. */
const MADE_UP = 'example';
const NONE: ReadonlyMap<string, string> = new Map();

async function completeArguments(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  let asked = 0;
  for (const { ref, names, path } of completable(session)) {
    for (const name of names) {
      if (++asked > MOST_ENTRIES) return found;
      const answer = await complete(session, ref, name, NONE, signal);
      if (answer.kind === 'result') continue;
      const frames = session.frames.newestAnswer('completion/complete');
      found.push(
        finding(session, 'completion-failed', `Completing ${quotedName(name)} ${failedWith(answer)}`, frames, path),
      );
    }
  }
  return found;
}

function offersCompletions({ negotiated: { capabilities } }: Session): boolean {
  return declares(capabilities, ['completions']);
}

/** A prompt or template, as completion refers to it, with its arguments. */
interface Completable {
  readonly ref: { readonly type: string; readonly name?: string; readonly uri?: string };
  readonly names: readonly string[];
  readonly path: string;
  readonly template?: string;
}

/** A variable of a URI template without an operator. */
const VARIABLE = /\{([A-Za-z0-9_]+)\}/g;

function completable({ listed: { prompts = [], templates = [] } }: Session): readonly Completable[] {
  return [
    ...prompts.slice(0, MOST_ENTRIES).map((prompt) => ({
      ref: { type: 'ref/prompt', name: entryName(prompt) },
      names: promptArgumentsOf(prompt).names,
      path: `prompts[${JSON.stringify(entryName(prompt))}]`,
    })),
    ...templates.slice(0, MOST_ENTRIES).flatMap((entry) => {
      const template = own(entry, 'uriTemplate');
      if (typeof template !== 'string') return [];
      const names = [...new Set([...template.matchAll(VARIABLE)].map(([, name]) => name!))];
      const path = `resourceTemplates[${JSON.stringify(template)}]`;
      return { ref: { type: 'ref/resource', uri: template }, names, path, template };
    }),
  ];
}

/** Asks for the first completion of each argument, one after the other. An argument without one is missing. */
async function completedValues(
  session: Session,
  ref: Completable['ref'],
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const name of names) {
    const answer = await complete(session, ref, name, values, signal);
    const completion =
      answer.kind === 'result' && isObject(answer.result) ? own(answer.result, 'completion') : undefined;
    const list = isObject(completion) ? own(completion, 'values') : undefined;
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    if (typeof first === 'string' && first !== '') values.set(name, first);
  }
  return values;
}

/** Completes an empty value. `context`: arguments that are known (since 2025-06-18). */
function complete(
  { connection, negotiated }: Session,
  ref: Completable['ref'],
  name: string,
  context: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const hasContext = context.size > 0 && negotiated.version >= CONTEXT_SINCE;
  const params = {
    ref,
    argument: { name, value: '' },
    ...(hasContext && { context: { arguments: Object.fromEntries(context) } }),
  };
  return connection.request('completion/complete', JSON.stringify(params), undefined, signal);
}

const CONTEXT_SINCE = '2025-06-18';
