import { isRecord } from '@/lib/json/edit';
import { parseExactJson, prettyJson } from '@/lib/json/exact';
import { parseBounded } from '@/lib/json/parse';
import { JsonSource } from '@/lib/json/source';
import { typeWords } from '@/lib/json/type-words';
import { type JsonObject, own } from '@/lib/json/value';
import { tokensOfTool } from '@/lib/wire/token-estimate';
import { unifiedDiff } from './definition-diff';
import { patchBetween } from './merge-patch';
import type { Overlay } from './overlay';
import type { OverlayFile, ToolChange } from './overlay-file';

/** A tool's definition as a person edits it. Texts of objects are JSON, '' for none. */
export interface EditedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: string;
  readonly annotations: string;
  readonly hidden: boolean;
}

/** The members that an editor has as JSON. */
const OBJECTS = ['inputSchema', 'annotations'] as const;

/** Returns a definition for editing. Objects are as written, apart from white space. */
export function editedTool(name: string, definition: string, hidden: boolean): EditedTool {
  const tool = JsonSource.parse(definition);
  const textOf = (key: string) => {
    const member = tool?.member(key)?.value;
    return typeof member === 'string' ? member : '';
  };
  const jsonOf = (key: string) => {
    const member = tool?.member(key);
    return member?.kind === 'object' ? prettyJson(member.text) : '';
  };
  return {
    name,
    title: textOf('title'),
    description: textOf('description'),
    inputSchema: jsonOf('inputSchema'),
    annotations: jsonOf('annotations'),
    hidden,
  };
}

/** Returns the tools that an overlay changes and the server does not list. */
export function unlistedTools({ tools }: OverlayFile, listed: Iterable<string>): readonly string[] {
  const names = new Set(listed);
  return Object.keys(tools).filter((tool) => !names.has(tool));
}

/** Faults of an edited tool, by field. */
export type EditFaults = Partial<Record<keyof EditedTool, string>>;

/** The change that an edit makes, or the faults that prevent it. An empty change: the tool is as on the server. */
export type EditOutcome = { readonly change: ToolChange } | { readonly faults: EditFaults };

/** Returns how a tool of the server was edited. `others`: the names of its other tools for the host. */
export function changeOf(
  tool: string,
  definition: string,
  edited: EditedTool,
  others: ReadonlySet<string>,
): EditOutcome {
  const server = parsed(definition);
  const faults: EditFaults = {};
  let change: ToolChange = {};
  if (edited.name === '') faults.name = 'A tool needs a name';
  else if (!edited.hidden && others.has(edited.name)) faults.name = 'Another tool has this name';
  else if (edited.name !== tool) change = { ...change, name: edited.name };
  for (const key of ['title', 'description'] as const) {
    const was = own(server, key);
    if (edited[key] === (typeof was === 'string' ? was : '')) continue;
    change = { ...change, [key]: edited[key] === '' ? null : edited[key] };
  }
  for (const key of OBJECTS) {
    const was = own(server, key);
    const is = objectIn(edited[key]);
    if (typeof is === 'string') faults[key] = is;
    else if (is === undefined) {
      if (was === undefined) continue;
      if (key === 'inputSchema') faults.inputSchema = 'A tool needs an input schema: {"type": "object"} takes anything';
      else change = { ...change, [key]: null };
    } else {
      const patch = patchBetween(isRecord(was) ? was : {}, is);
      if (patch === undefined) faults[key] = 'An overlay can’t set a member to null. Inside an array it can';
      else if (!isRecord(was) || Object.keys(patch).length > 0) change = { ...change, [key]: patch };
    }
  }
  if (edited.hidden) change = { ...change, hidden: true };
  return Object.keys(faults).length > 0 ? { faults } : { change };
}

/** Reads the text of an object. Returns undefined for none, and a fault as text. */
function objectIn(text: string): JsonObject | undefined | string {
  if (text.trim() === '') return undefined;
  try {
    parseBounded(text);
    const value = parseExactJson(text);
    return isRecord(value) ? value : `This is ${typeWords(value)}, expected an object`;
  } catch {
    return 'This is not valid JSON';
  }
}

function parsed(definition: string): JsonObject {
  const value = parseExactJson(definition);
  return isRecord(value) ? value : {};
}

/** Returns an overlay with the change of one tool. An empty change removes it. */
export function withChange({ tools }: OverlayFile, tool: string, change: ToolChange): OverlayFile {
  const entries = Object.entries(tools);
  const isEmpty = Object.keys(change).length === 0;
  const changed = Object.hasOwn(tools, tool)
    ? entries.flatMap(([name, was]) =>
        name !== tool ? [[name, was] as const] : isEmpty ? [] : [[name, change] as const],
      )
    : isEmpty
      ? entries
      : [...entries, [tool, change] as const];
  return { tools: Object.fromEntries(changed) };
}

/** Returns the definition with the change of a tool, hidden or not. */
export function shownDefinition(overlay: Overlay | undefined, tool: string, definition: string): string {
  return overlay?.changed(tool, definition) ?? definition;
}

/** Estimates the tokens of a definition in a model's context: those of the members that hosts give to models. */
export function definitionTokens(definition: string): number {
  return tokensOfTool(parsed(definition));
}

/** A tool of the server: its name and definition. */
export interface DefinedTool {
  readonly name: string;
  readonly definition: string;
}

/** The file that an exported patch changes. */
const PATCHED_FILE = 'tools.json';

/** Writes a unified diff of a server's list of tools, from the server's definitions to those that an overlay shows. */
export function overlayPatch(overlay: Overlay, tools: readonly DefinedTool[]): string {
  const before = listed(tools.map(({ definition }) => definition));
  const after = listed(tools.map(({ name, definition }) => overlay.definition(name, definition)));
  return unifiedDiff(PATCHED_FILE, [
    { before: '[\n', after: '[\n' },
    ...before.map((text, index) => ({ before: text, after: after[index]! })),
    { before: ']\n', after: ']\n' },
  ]);
}

/** Writes the items of a list for people. An item that is left out is ''. */
function listed(definitions: readonly (string | undefined)[]): readonly string[] {
  const last = definitions.findLastIndex((definition) => definition !== undefined);
  return definitions.map((definition, index) => {
    if (definition === undefined) return '';
    const text = prettyJson(definition).replaceAll('\n', '\n  ');
    return `  ${text}${index === last ? '' : ','}\n`;
  });
}
