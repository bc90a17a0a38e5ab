import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { suggestion } from '@/proxy/cli/closest';

/** The arguments that a tool or a prompt declares. */
export interface DeclaredArguments {
  /** Absent: it may take others than it declares. */
  readonly names?: readonly string[];
  readonly required: readonly string[];
}

/** Most characters of a name in a sentence. */
const NAME_CHARS = 60;

/** Members of a schema that may name further arguments. */
const OPEN = ['patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf'];

/** Returns the arguments of the inputSchema of a tool. */
export function toolArgumentsOf(entry: JsonObject | undefined): DeclaredArguments {
  const schema = entry && own(entry, 'inputSchema');
  if (!isObject(schema)) return { required: [] };
  const [properties, listed] = [own(schema, 'properties'), own(schema, 'required')];
  const isClosed =
    isObject(properties) &&
    OPEN.every((key) => own(schema, key) === undefined) &&
    (own(schema, 'additionalProperties') ?? false) === false;
  const required = (Array.isArray(listed) ? listed : []).filter((name) => typeof name === 'string');
  return { required, ...(isClosed && { names: Object.keys(properties) }) };
}

/** Returns the arguments that the list of prompts has of one. */
export function promptArgumentsOf(entry: JsonObject | undefined): Required<DeclaredArguments> {
  const listed = entry && own(entry, 'arguments');
  const named = (Array.isArray(listed) ? listed : []).filter(isObject).flatMap((one) => {
    const name = own(one, 'name');
    return typeof name === 'string' ? [{ name, isRequired: own(one, 'required') === true }] : [];
  });
  return {
    names: named.map(({ name }) => name),
    required: named.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** Says what is wrong with the names of the arguments in the params of a request, which is sent anyway. */
export function argumentNotes(params: string, name: string, { names, required }: DeclaredArguments): readonly string[] {
  const request = parseBounded(params);
  const given = isObject(request) ? own(request, 'arguments') : undefined;
  const sent = isObject(given) ? given : {};
  const missing = required.filter((each) => own(sent, each) === undefined).map((each) => `\`${shortArgument(each)}\``);
  const unknown = names ? Object.keys(sent).filter((each) => !names.includes(each)) : [];
  return [
    ...unknown.map(
      (each) => `\`${name}\` has no argument \`${shortArgument(each)}\`: ${argumentAdvice(each, names!)} It is sent.`,
    ),
    ...(missing.length === 0 ? [] : [missingText(name, missing)]),
  ];
}

function missingText(name: string, missing: readonly string[]): string {
  const [what, them] = missing.length === 1 ? ['argument', 'it'] : ['arguments', 'them'];
  return `Missing required ${what} of \`${name}\`: ${missing.join(', ')}. The request is sent without ${them}.`;
}

/** Suggests another name, as the end of a sentence. */
export function argumentAdvice(name: string, names: readonly string[]): string {
  return names.length === 0 ? 'it has none.' : suggestion(name, names);
}

export function shortArgument(name: string): string {
  return name.slice(0, NAME_CHARS);
}
