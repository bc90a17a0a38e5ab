import { isDeepStrictEqual } from 'node:util';
import { removeAt, setAt, valueAt } from '@/lib/json/edit';
import { isObject, own } from '@/lib/json/value';
import { type ConfigFormat, type ParsedConfig, parseConfig } from '@/proxy/servers/parse-config';
import { readTap } from '@/proxy/servers/tap-words';
import { type ConfigPlaces, type NamedValue, type Splice, spaceBefore, spliced, type TextSpan } from './config-places';

/** The text of a config, and what it means. */
export interface ConfigText {
  readonly text: string;
  readonly format: 'json' | 'toml';
  readonly value: unknown;
}

/** A changed config, or a sentence about the entry that says why it stays as it is. */
export type Edited = { readonly config: ConfigText; readonly parts: readonly ChangedPart[] } | Refusal;
/** `isDone`: the config is already as wanted. */
export type Refusal = { readonly wrong: string; readonly isDone?: true };

/** A member of an entry before and after a change. */
export interface ChangedPart {
  readonly before: string;
  readonly after: string;
}

/** Parses the text of a config. `wrong` is a sentence about the config. */
export async function readConfigText(text: string, format: ConfigFormat): Promise<ConfigText | Refusal> {
  if (format === 'yaml') {
    return { wrong: 'mcp-inspect does not edit YAML. `mcp-inspect tap --help` shows the command to write into it.' };
  }
  const parsed: ParsedConfig = await parseConfig(text, format);
  if ('wrong' in parsed) return parsed;
  // The objects of the TOML parser have no prototype, so they never equal changed copies.
  return { text, format, value: format === 'toml' ? structuredClone(parsed.value) : parsed.value };
}

/** Returns the path of a server’s entry below `key`. VS Code also writes keys with a dot. */
export function entryPath({ value }: ConfigText, key: readonly string[], name: string): readonly string[] | undefined {
  const dotted = key.length > 1 && isObject(value) && own(value, key.join('.')) !== undefined;
  const path = [...(dotted ? [key.join('.')] : key), name];
  return isObject(valueAt(value, path)) ? path : undefined;
}

/** Puts a tap around the command of an entry. `words` are those of the tap, up to the `--`. */
export async function tapEntry(
  config: ConfigText,
  entry: readonly string[],
  words: readonly string[],
): Promise<Edited> {
  const found = await findCommand(config, entry);
  if ('wrong' in found) return found;
  const { places, command, list, listed, addedList, texts } = found;
  const literals = command ? words.slice(1) : words;
  const items = [...literals.map(literalOf), ...(command ? [textOf(config, command)] : [])];
  const splices: Splice[] = command ? [{ ...command, text: literalOf(words[0]!) }] : [];
  if (list) splices.push(itemsBefore(places, list, items));
  else splices.push(places.added(command!, addedList, `[${items.join(', ')}]`));
  const meant = [...literals, ...(command ? texts.slice(0, 1) : []), ...(listed ?? [])];
  return checked(config, found, splices, { command: words[0], list: meant });
}

/**
 * Puts the server’s own command back. `withoutList`: the entry had no list of arguments before, so an empty one is
 * removed. `noted`: the words of the tap, as they were written.
 */
export async function untapEntry(
  config: ConfigText,
  entry: readonly string[],
  withoutList: boolean,
  noted?: readonly string[],
): Promise<Edited> {
  const found = await findCommand(config, entry);
  if ('wrong' in found) return found;
  const { places, command, list, listed, texts } = found;
  const tap = readTap(texts, noted);
  if (!tap) return { wrong: 'It no longer starts a tap.' };
  if (!list || !listed) return UNSAFE;
  const items = places.items(list);
  // The command is not in the list.
  const own = tap.ours.length - (command ? 1 : 0);
  const removed = command ? own + 1 : own;
  const splices: Splice[] = command ? [{ ...command, text: textOf(config, items[own]!) }] : [];
  const whole = withoutList && removed === items.length ? places.removed(list) : undefined;
  if (removed < items.length) splices.push({ start: items[0]!.start, end: items[removed]!.start, text: '' });
  else splices.push(whole ?? emptied(places, list, items));
  const lost = splices.find(({ start, end }) => config.text.slice(start, end) !== places.bare.slice(start, end));
  if (lost)
    return { wrong: 'There is a comment between the words of the tap. Remove the comment, or edit it by hand.' };
  return checked(config, found, splices, { command: tap.server[0], list: whole ? undefined : listed.slice(removed) });
}

/** Puts another tap in the place of one. */
export async function retapEntry(
  config: ConfigText,
  entry: readonly string[],
  words: readonly string[],
  noted?: readonly string[],
): Promise<Edited> {
  const bare = await untapEntry(config, entry, false, noted);
  if ('wrong' in bare) return bare;
  const tapped = await tapEntry(bare.config, entry, words);
  if ('wrong' in tapped) return tapped;
  // Both change the command and the list, in this order.
  const parts = bare.parts.map(({ before }, at) => ({ before, after: tapped.parts[at]!.after }));
  return { config: tapped.config, parts };
}

/** Replaces the words of an entry’s command by as many other ones, for showing it. */
export async function withWords(
  config: ConfigText,
  entry: readonly string[],
  words: readonly string[],
): Promise<ConfigText | Refusal> {
  const found = await findCommand(config, entry);
  if ('wrong' in found) return found;
  const { places, command, list, texts } = found;
  const spans = [...(command ? [command] : []), ...(list ? places.items(list) : [])];
  const splices = spans.flatMap((span, at) => {
    const word = words[at];
    return word === texts[at] ? [] : [{ start: span.start, end: span.end, text: literalOf(word!) }];
  });
  return readConfigText(spliced(config.text, splices), config.format);
}

/** Returns command and arguments of an entry. `hasList`: its arguments are a list, though perhaps an empty one. */
export function commandOf(
  { value }: ConfigText,
  entry: readonly string[],
): { readonly words: readonly string[]; readonly hasList: boolean } | Refusal {
  const shape = shapeOf(valueAt(value, entry));
  if ('wrong' in shape) return shape;
  const listed = valueAt(value, [...entry, ...shape.list]);
  if (listed !== undefined && !isScalarList(listed)) return { wrong: 'Its arguments are not a list of strings.' };
  const first = shape.command ? [valueAt(value, [...entry, ...shape.command]) as string] : [];
  return { words: [...first, ...(listed?.map(String) ?? [])], hasList: listed !== undefined };
}

/** The places of a command and its arguments in an entry. */
interface FoundCommand {
  readonly places: ConfigPlaces;
  /** Absent if the command is the first item of the list. */
  readonly command?: NamedValue;
  readonly list?: NamedValue;
  readonly listed?: readonly unknown[];
  /** Name of the list, to add it. */
  readonly addedList: string;
  /** Paths of both in the config. */
  readonly paths: { readonly command?: readonly string[]; readonly list: readonly string[] };
  /** Command and arguments. */
  readonly texts: readonly string[];
}

async function findCommand(config: ConfigText, entry: readonly string[]): Promise<FoundCommand | Refusal> {
  const shape = shapeOf(valueAt(config.value, entry));
  const read = commandOf(config, entry);
  if ('wrong' in shape) return shape;
  if ('wrong' in read) return read;
  const paths = { list: [...entry, ...shape.list], ...(shape.command && { command: [...entry, ...shape.command] }) };
  const listed = valueAt(config.value, paths.list) as readonly unknown[] | undefined;
  const places = await configPlaces(config);
  const command = paths.command && places.find(paths.command);
  const list = listed === undefined ? undefined : places.find(paths.list);
  const isFound = listed === undefined || (list !== undefined && places.items(list).length === listed.length);
  if ((paths.command && !command) || !isFound) return UNSAFE;
  return {
    places,
    ...(command && { command }),
    ...(list && { list }),
    ...(listed && { listed }),
    addedList: shape.list.at(-1)!,
    paths,
    texts: read.words,
  };
}

/** Finds values in a config. */
export async function configPlaces({ text, format }: ConfigText): Promise<ConfigPlaces> {
  if (format === 'json') return new (await import('./json-places')).JsonPlaces(text);
  return new (await import('./toml-places')).TomlPlaces(text);
}

interface CommandShape {
  readonly command?: readonly string[];
  readonly list: readonly string[];
}

/** Hosts write a command and `args`, Zed also an object with both, and opencode one list. */
function shapeOf(entry: unknown): CommandShape | Refusal {
  const command = isObject(entry) ? own(entry, 'command') : undefined;
  if (typeof command === 'string' && command !== '') return { command: ['command'], list: ['args'] };
  if (Array.isArray(command) && command.length > 0) return { list: ['command'] };
  if (isObject(command) && typeof own(command, 'path') === 'string') {
    return { command: ['command', 'path'], list: ['command', 'args'] };
  }
  return { wrong: 'It has no command.' };
}

function isScalarList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
}

/** Writes a string in a way that JSON and TOML both read. */
export function literalOf(word: string): string {
  return JSON.stringify(word).replaceAll('\x7f', '\\u007f');
}

function textOf({ text }: ConfigText, { start, end }: TextSpan): string {
  return text.slice(start, end);
}

/** Adds items to the start of a list, laid out as the first one is. */
function itemsBefore(places: ConfigPlaces, list: NamedValue, added: readonly string[]): Splice {
  const [first, second] = places.items(list);
  if (!first) return { start: list.start + 1, end: list.start + 1, text: added.join(', ') };
  const gap = spaceBefore(places.bare, first.start);
  const isCompact = second !== undefined && /^,\S/.test(places.bare.slice(first.end, second.start + 1));
  const between = gap.includes('\n') ? `,${gap}` : isCompact ? ',' : ', ';
  return { start: first.start, end: first.start, text: added.map((item) => item + between).join('') };
}

/** Removes all items of a list, and whatever a program that rewrote it put between them. */
function emptied({ bare }: ConfigPlaces, list: NamedValue, items: readonly TextSpan[]): Splice {
  const [first, last] = [items[0]!, items.at(-1)!];
  // We put items right after the bracket.
  if (first.start !== list.start + 1) return { start: list.start + 1, end: list.end - 1, text: '' };
  const comma = /^\s*,/.exec(bare.slice(last.end, list.end));
  return { start: first.start, end: last.end + (comma?.[0].length ?? 0), text: '' };
}

/** The command and arguments that an entry must have after a change. */
interface Meaning {
  readonly command: unknown;
  /** undefined: the entry has no list. */
  readonly list: readonly unknown[] | undefined;
}

/** Applies changes, and makes sure that they changed the meaning of nothing else. */
async function checked(
  config: ConfigText,
  { command, list, paths }: FoundCommand,
  splices: readonly Splice[],
  meaning: Meaning,
): Promise<Edited> {
  const read = await readConfigText(spliced(config.text, splices), config.format);
  const commanded = paths.command ? setAt(config.value, paths.command, meaning.command) : config.value;
  const meant = meaning.list ? setAt(commanded, paths.list, meaning.list) : removeAt(commanded, paths.list);
  if ('wrong' in read || !isDeepStrictEqual(read.value, meant)) return UNSAFE;
  const parts = [command, list].flatMap((part) => (part ? [changedPart(config.text, part, splices)] : []));
  const added = list ? undefined : splices.find(({ start, end }) => start === end);
  const extra = added && { before: '', after: added.text.replace(/^[,\s]+/, '') };
  return { config: read, parts: extra ? [...parts, extra] : parts };
}

export const UNSAFE: Refusal = { wrong: 'It is written in a way that mcp-inspect can’t edit safely.' };

function changedPart(text: string, { nameStart, end }: NamedValue, splices: readonly Splice[]): ChangedPart {
  const before = text.slice(nameStart, end);
  const inside = splices.filter((splice) => splice.start >= nameStart && splice.end <= end && splice.start < end);
  const moved = inside.map((splice) => ({ ...splice, start: splice.start - nameStart, end: splice.end - nameStart }));
  const isRemoved = splices.some((splice) => splice.start <= nameStart && splice.end >= end);
  return { before, after: isRemoved ? '' : spliced(before, moved) };
}
