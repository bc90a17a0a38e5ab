import { extname } from 'node:path';
import { parseBounded } from '@/lib/json/parse';
import type { ConfigOddity } from '@/lib/wire/server-config';
import { encodingOf, type NamedFile } from '@/proxy/files/user-files';

/** Formats of config files. Comments and trailing commas are accepted in JSON. */
export type ConfigFormat = 'json' | 'toml' | 'yaml';

/**
 * Most bytes of a config. A JSON file of settings or of a host's own state can have a few million. People write the
 * other formats by hand, and a hostile YAML file of this size already takes about a second.
 */
export const CONFIG_BYTES: Readonly<Record<ConfigFormat, number>> = {
  json: 16 * 1024 * 1024,
  toml: 1024 * 1024,
  yaml: 128 * 1024,
};

/** The content of a config, or a sentence that says where it is broken. The sentence quotes nothing of the config. */
export type ParsedConfig =
  | {
      readonly value: unknown;
      /** Set for JSON with comments or trailing commas. */
      readonly isRelaxed?: true;
    }
  | {
      readonly wrong: string;
      /** It breaks the syntax of its format, so hosts can’t read it either. */
      readonly isBroken?: true;
    };

/** Returns the format of a file by its extension. */
export function formatOf(path: string): ConfigFormat {
  const extension = extname(path).toLowerCase();
  if (extension === '.toml') return 'toml';
  return extension === '.yaml' || extension === '.yml' ? 'yaml' : 'json';
}

/** Returns true for the path of an MCP bundle. */
export function isBundle(path: string): boolean {
  return /\.(?:mcpb|dxt)$/i.test(path);
}

/** Parses a config. The parser of the format is loaded when it is needed. */
export async function parseConfig(text: string, format: ConfigFormat): Promise<ParsedConfig> {
  const bare = text.replace(/^\uFEFF/, '');
  try {
    return await PARSERS[format](bare);
  } catch (error) {
    // The parsers recurse, and throw RangeError or ReferenceError for structures that would exhaust memory or stack.
    if (error instanceof RangeError || error instanceof ReferenceError) return { wrong: TOO_DEEP };
    throw error;
  }
}

/** Finds what few readers of JSON accept in a file. */
export function odditiesOf({ text, bytes }: Pick<NamedFile, 'text' | 'bytes'>, parsed: ParsedConfig) {
  const isUtf16 = bytes !== undefined && encodingOf(bytes) !== 'utf-8';
  const found: ConfigOddity[] = isUtf16 ? ['utf-16'] : text?.startsWith('\uFEFF') ? ['byte-order-mark'] : [];
  return 'isRelaxed' in parsed ? ([...found, 'relaxed'] as const) : found;
}

const TOO_DEEP = 'It is nested too deeply, or repeats itself too often.';

const PARSERS: Readonly<Record<ConfigFormat, (text: string) => Promise<ParsedConfig>>> = {
  async json(text) {
    try {
      return { value: parseBounded(text) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    const { parse, printParseErrorCode, visit } = await import('jsonc-parser');
    const options = { allowTrailingComma: true, allowEmptyContent: false };
    try {
      // `parse` collects every error, which can be millions. This stops at the first one.
      visit(
        text,
        {
          onError: (code, offset) => {
            throw new Broken(lineAndColumn(text, offset), words(printParseErrorCode(code)));
          },
        },
        options,
      );
    } catch (error) {
      if (error instanceof Broken) return { wrong: brokenJson(error), isBroken: true };
      throw error;
    }
    return { value: parse(text, [], options), isRelaxed: true };
  },
  async toml(text) {
    const { parse, TomlError } = await import('smol-toml');
    try {
      return { value: parse(text) };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      // The lines after the first quote the file.
      const [reason = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
      if (reason.includes('excessively nested')) return { wrong: TOO_DEEP };
      return { wrong: broken('TOML', [error.line, error.column], reason), isBroken: true };
    }
  },
  async yaml(text) {
    const { isAlias, isNode, parseDocument, visit } = await import('yaml');
    // Checking that keys are unique takes quadratic time. Pretty errors quote the file.
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
    const [error] = document.errors;
    if (error?.code === 'RESOURCE_EXHAUSTION') return { wrong: TOO_DEEP };
    if (error) return { wrong: broken('YAML', lineAndColumn(text, error.pos[0]), words(error.code)), isBroken: true };
    const anchors = new Set<string | undefined>();
    let unknown: number | undefined;
    visit(document, (_, node) => {
      if (isAlias(node) && !anchors.has(node.source)) {
        unknown = node.range?.[0] ?? 0;
        return visit.BREAK;
      }
      if (isNode(node) && !isAlias(node)) anchors.add(node.anchor);
      return undefined;
    });
    if (unknown !== undefined) return { wrong: broken('YAML', lineAndColumn(text, unknown), 'unknown alias') };
    try {
      return { value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
    } catch (error) {
      if (error instanceof RangeError || error instanceof ReferenceError) throw error;
      // Only merge keys cause other errors. They are part of YAML 1.1, which a file can ask for.
      return { wrong: 'It is not valid YAML. The value of a merge key (`<<`) is not an object.' };
    }
  },
};

/** Most aliases in YAML, counted as often as they would be expanded. */
const MOST_ALIASES = 100;

type Position = readonly [line: number, column: number];

/** Says where JSON is broken. Paths of Windows are the usual reason for an invalid escape. */
function brokenJson({ where, message }: Broken): string {
  const wrong = broken('JSON', where, message);
  return message === 'invalid escape character' ? `${wrong} Write \`\\\\\` for each backslash.` : wrong;
}

class Broken extends Error {
  readonly where: Position;

  constructor(where: Position, reason: string) {
    super(reason);
    this.where = where;
  }
}

function broken(format: string, [line, column]: Position, reason: string): string {
  return `It is not valid ${format}. Line ${line}, column ${column}: ${reason}.`;
}

function lineAndColumn(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return [before.length, before.at(-1)!.length + 1];
}

/** `CommaExpected` and `BAD_INDENT` as words. */
function words(code: string): string {
  return code
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}
