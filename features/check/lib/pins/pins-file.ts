import { canonicalJson } from '@/lib/json/canonical';
import { applyEdit, type JsonDocument, type JsonPath } from '@/lib/json/edit';
import { prettyJson } from '@/lib/json/exact';
import { skipSpace, visitChildren } from '@/lib/json/scan';
import { JsonSource } from '@/lib/json/source';
import { isObject } from '@/lib/json/value';
import { isOnePlace, type PlacePattern, parsePlace } from '@/lib/replay/compare/places';
import { escapeReferences } from './references';

/** Usual name of the file in a repository. */
export const PINS_FILE = 'mcp-inspect.pins.json';
/** Version of the format, as the member `pins`. */
const VERSION = 1;
/** Most calls of a file. */
export const MOST_PINS = 10_000;

/** A call that is kept with the answer that was accepted. */
export interface Pin {
  /** Its name in the file; else method and tool, such as `tools/call add`. */
  readonly name: string;
  readonly method: string;
  /** JSON text as written in the file; undefined without params. */
  readonly params: string | undefined;
  /** Values of the answer that later calls use as `${name}`. */
  readonly save: ReadonlyMap<string, PlacePattern>;
  /** Places of the answer that are not compared. */
  readonly ignore: readonly PlacePattern[];
  readonly accepted: AcceptedAnswer | undefined;
}

/** The text of a `result` or `error` member. */
export interface AcceptedAnswer {
  readonly kind: 'result' | 'error';
  readonly text: string;
}

/** Thrown for a text that is not a pins file. The message is a sentence that names the place. */
export class PinsError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'PinsError';
  }
}

/** Short forms of common calls: the member that names what is called, and where the name goes in `params`. */
const SHORT_FORMS = [
  { member: 'tool', method: 'tools/call', param: 'name', takesArguments: true },
  { member: 'prompt', method: 'prompts/get', param: 'name', takesArguments: true },
  { member: 'resource', method: 'resources/read', param: 'uri', takesArguments: false },
] as const;
const MEMBERS: ReadonlySet<string> = new Set([
  ...SHORT_FORMS.map(({ member }) => member),
  'name',
  'method',
  'params',
  'arguments',
  'save',
  'ignore',
  'result',
  'error',
]);

/** Reads a pins file. Throws {@link PinsError}. */
export function readPins(text: string): readonly Pin[] {
  const file = JsonSource.parse(text);
  if (file?.kind !== 'object') throw new PinsError('It is not a JSON object.');
  const version = file.member('pins')?.value;
  if (version !== VERSION) {
    throw new PinsError(
      typeof version === 'number'
        ? `Its format is version ${version}, and this mcp-inspect reads version ${VERSION}: update mcp-inspect.`
        : `It has no \`"pins": ${VERSION}\`, so it is not a pins file.`,
    );
  }
  const calls = file.member('calls');
  if (calls?.kind !== 'array') throw new PinsError('`calls` is not an array.');
  const { children, count } = calls.children(MOST_PINS);
  if (count > MOST_PINS) throw new PinsError(`It has ${count} calls; at most ${MOST_PINS} are possible.`);
  const pins = children.map(({ source }, index) => readPin(source, `calls[${index}]`));
  const saved = new Set<string>();
  for (const [index, { save }] of pins.entries()) {
    for (const name of save.keys()) {
      if (saved.has(name)) throw new PinsError(`calls[${index}] saves \`${name}\`, which an earlier call saves, too.`);
      saved.add(name);
    }
  }
  return pins;
}

function readPin(source: JsonSource, at: string): Pin {
  if (source.kind !== 'object') throw new PinsError(`${at} is not an object.`);
  const unknown = Object.keys(source.value as object).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined) throw new PinsError(`${at} has an unknown member \`${unknown.slice(0, 60)}\`.`);
  const { method, params } = readRequest(source, at);
  const named = source.member('name')?.value;
  return {
    name: typeof named === 'string' && named !== '' ? named : describeCall(method, params),
    method,
    params,
    save: readSaves(source.member('save')?.value, at),
    ignore: readPlaces(source.member('ignore')?.value, at),
    accepted: readAccepted(source, at),
  };
}

function readRequest(source: JsonSource, at: string): Pick<Pin, 'method' | 'params'> {
  const given = SHORT_FORMS.filter(({ member }) => source.member(member));
  const method = source.member('method')?.value;
  if (given.length + (method === undefined ? 0 : 1) !== 1) {
    throw new PinsError(`${at} needs one of \`tool\`, \`prompt\`, \`resource\` and \`method\`.`);
  }
  const [short] = given;
  const args = source.member('arguments');
  if (args && !short?.takesArguments) throw new PinsError(`${at} has \`arguments\`: put them into \`params\`.`);
  if (!short) {
    if (typeof method !== 'string' || method === '') throw new PinsError(`${at}.method is not a name.`);
    return { method, params: source.member('params')?.text };
  }
  if (source.member('params'))
    throw new PinsError(`${at} has \`params\` beside \`${short.member}\`: remove one of them.`);
  const name = source.member(short.member)!;
  if (name.kind !== 'string') throw new PinsError(`${at}.${short.member} is not a string.`);
  const argumentsText = args ? `,"arguments":${args.text}` : '';
  return { method: short.method, params: `{"${short.param}":${name.text}${argumentsText}}` };
}

/** Names a call by its method, and the tool, prompt or resource. */
function describeCall(method: string, params: string | undefined): string {
  const target = targetOf(params);
  return target === undefined ? method : `${method} ${target}`;
}

/** Returns the tool, prompt or resource of a call. */
export function targetOf(params: string | undefined): string | undefined {
  const source = params === undefined ? undefined : JsonSource.parse(params);
  const name = source?.kind === 'object' ? (source.member('name') ?? source.member('uri'))?.value : undefined;
  return typeof name === 'string' ? name : undefined;
}

function readSaves(value: unknown, at: string): Pin['save'] {
  if (value === undefined) return new Map();
  if (!isObject(value)) throw new PinsError(`${at}.save is not an object of names and places.`);
  return new Map(
    Object.entries(value).map(([name, place]) => {
      if (!/^[A-Za-z_]\w{0,63}$/.test(name))
        throw new PinsError(`${at}.save has \`${name.slice(0, 60)}\`, which is not a name.`);
      const pattern = typeof place === 'string' ? parsePlace(place) : undefined;
      if (pattern && isOnePlace(pattern)) return [name, pattern] as const;
      throw new PinsError(`${at}.save.${name} is not one place: write it like \`$.structuredContent.id\`.`);
    }),
  );
}

function readPlaces(value: unknown, at: string): readonly PlacePattern[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new PinsError(`${at}.ignore is not an array of places.`);
  return value.map((place, index) => {
    const pattern = typeof place === 'string' ? parsePlace(place) : undefined;
    if (pattern) return pattern;
    throw new PinsError(`${at}.ignore[${index}] is not a place: write it like \`$.content[0].text\` or \`$..etag\`.`);
  });
}

function readAccepted(source: JsonSource, at: string): AcceptedAnswer | undefined {
  const [result, error] = [source.member('result'), source.member('error')];
  if (result && error) throw new PinsError(`${at} has a \`result\` and an \`error\`: remove one of them.`);
  const answer = result ?? error;
  return answer && { kind: result ? 'result' : 'error', text: answer.text };
}

/**
 * Puts JSON text at a path, laid out like the rest. Everything else stays as written. A string stands for it while its
 * place is made, since only text keeps all digits.
 */
function putJson(text: string, path: JsonPath, json: string): string {
  let stand = '\u0000';
  while (text.includes(JSON.stringify(stand))) stand += '\u0000';
  const made = applyEdit(documentOf(text), { type: 'set', path, value: stand }).text;
  const at = made.indexOf(JSON.stringify(stand));
  const indent = /^\s*/.exec(made.slice(made.lastIndexOf('\n', at) + 1, at))![0];
  const written = prettyJson(json).replaceAll('\n', `\n${indent}`);
  return made.slice(0, at) + written + made.slice(at + JSON.stringify(stand).length);
}

function documentOf(text: string): JsonDocument {
  return { text, value: JSON.parse(text) as unknown };
}

/**
 * Returns the text of a pins file with answers accepted, by index of their call. Everything else stays as written. The
 * file is read once, since it may be large and have many calls.
 */
export function acceptAnswers(text: string, answers: ReadonlyMap<number, AcceptedAnswer>): string {
  const parts: string[] = [];
  let copied = 0;
  for (const [index, { start, end }] of callPlaces(text).entries()) {
    const answer = answers.get(index);
    if (!answer) continue;
    // A call is laid out like its line. Its indentation goes before it, where JSON may have white space.
    const line = text.lastIndexOf('\n', start) + 1;
    const before = line === 0 ? '' : `\n${/^[ \t]*/.exec(text.slice(line, start))![0]}`;
    const accepted = withAnswer(before + text.slice(start, end), answer);
    parts.push(text.slice(copied, start), accepted.slice(before.length));
    copied = end;
  }
  return parts.join('') + text.slice(copied);
}

/** Returns the text of a call with its answer accepted. */
function withAnswer(call: string, { kind, text }: AcceptedAnswer): string {
  const other = kind === 'result' ? 'error' : 'result';
  return putJson(applyEdit(documentOf(call), { type: 'remove', path: [other] }).text, [kind], text);
}

/** Returns where the calls of a pins file are. The last of repeated names wins, as in parsers. */
function callPlaces(text: string): readonly { readonly start: number; readonly end: number }[] {
  let calls = -1;
  visitChildren(text, skipSpace(text, 0), (start, _end, nameStart, nameEnd) => {
    if (JSON.parse(text.slice(nameStart, nameEnd)) === 'calls') calls = start;
  });
  const places: { readonly start: number; readonly end: number }[] = [];
  visitChildren(text, calls, (start, end) => places.push({ start, end }));
  return places;
}

/** Returns the text of a pins file with another call at its end. Everything else stays as written. */
export function addCall(text: string, call: WrittenPin): string {
  const { calls } = JSON.parse(text) as { readonly calls: readonly unknown[] };
  return putJson(text, ['calls', calls.length], callText(call));
}

/** Returns the text of a pins file with a call renamed, or without its name. Everything else stays as written. */
export function renameCall(text: string, index: number, name: string): string {
  const path = ['calls', index, 'name'];
  return applyEdit(documentOf(text), name === '' ? { type: 'remove', path } : { type: 'set', path, value: name }).text;
}

/** Returns the text of a pins file without a call. Everything else stays as written. */
export function deleteCall(text: string, index: number): string {
  return applyEdit(documentOf(text), { type: 'remove', path: ['calls', index] }).text;
}

/**
 * Returns a key for each call, which stays when calls are renamed, moved or accepted. Equal calls are numbered.
 * `hash` makes a short text of a long one.
 */
export function pinKeys(pins: readonly Pin[], hash: (text: string) => string): readonly string[] {
  const seen = new Map<string, number>();
  return pins.map(({ method, params }) => {
    const key = hash(`${method} ${params === undefined ? '' : canonicalJson(params)}`);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key}.${count}`;
  });
}

/** A call to write. */
export type WrittenPin = Pick<Pin, 'method' | 'params' | 'accepted'>;

/** Writes a new pins file. Params and answers stay as written, but for white space. */
export function writePins(calls: readonly WrittenPin[]): string {
  return `${prettyJson(`{"pins":${VERSION},"calls":[${calls.map(callText).join(',')}]}`)}\n`;
}

/** Params that were sent have no references, so what looks like one is escaped. */
function callText({ method, params, accepted }: WrittenPin): string {
  const members = requestMembers(method, params && escapeReferences(params));
  return `{${[...members, ...(accepted ? [[accepted.kind, accepted.text]] : [])]
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`;
}

/** Uses the short form if nothing is lost. Returns names and JSON texts. */
function requestMembers(method: string, params: string | undefined): readonly (readonly [string, string])[] {
  const long: readonly (readonly [string, string])[] = [
    ['method', JSON.stringify(method)],
    ...(params === undefined ? [] : [['params', params] as const]),
  ];
  const short = SHORT_FORMS.find((form) => form.method === method);
  const source = params === undefined ? undefined : JsonSource.parse(params);
  if (!short || source?.kind !== 'object') return long;
  const members = new Map(
    source.children(MOST_PARAMS).children.map((child) => [child.name ?? '', child.source] as const),
  );
  const [name, args] = [members.get(short.param), members.get('arguments')];
  const known = 1 + (args && short.takesArguments ? 1 : 0);
  if (name?.kind !== 'string' || members.size !== known) return long;
  return [[short.member, name.text], ...(args ? [['arguments', args.text] as const] : [])];
}

/** More members than the short forms have. */
const MOST_PARAMS = 4;
