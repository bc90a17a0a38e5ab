import { BYTE, stringEnd } from './scan';

/** Most levels of nesting that are parsed. JSON.parse alone would recurse until the stack overflows. */
export const JSON_DEPTH = 256;

/** Most members and items that are parsed, in total. Each costs a few hundred bytes of memory. */
export const JSON_NODES = 4_000_000;

/** A text shorter than this, in characters, can't exceed either bound. */
const SMALL = 2 * JSON_DEPTH;

/**
 * Parses JSON from a server. Throws RangeError, before parsing, if the value would be nested deeper than `JSON_DEPTH`
 * or have more than `most` members and items: 64 MB of `[` cost JSON.parse half a minute and five gigabytes, while
 * 100 MB in one string are harmless. Throws SyntaxError like JSON.parse.
 */
export function parseBounded(text: string, most = JSON_NODES): unknown {
  if (text.length >= SMALL) refuseMonsters(text, most);
  return JSON.parse(text);
}

function refuseMonsters(text: string, most: number): void {
  let depth = 0;
  let nodes = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case BYTE.quote:
        at = afterString(text, at) - 1;
        break;
      case BYTE.openArray:
      case BYTE.openObject:
        nodes++;
        if (++depth > JSON_DEPTH) throw new RangeError(`nested deeper than ${JSON_DEPTH}`);
        break;
      case BYTE.closeArray:
      case BYTE.closeObject:
        depth--;
        break;
      case BYTE.comma:
        if (++nodes > most) throw new RangeError(`more than ${most} values`);
        break;
    }
  }
}

/** Returns the index after the string at `at`, or the text's length. */
function afterString(text: string, at: number): number {
  const end = stringEnd(text, at);
  return end < 0 ? text.length : end;
}

/** Removes a byte order mark, which RFC 8259 lets readers ignore. Editors and .NET write one. */
export function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Returns true for UTF-8 that starts with a byte order mark. */
export function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Bytes of a byte order mark in UTF-8. */
export const BOM_BYTES = 3;

/**
 * Parses JSON as people write it in config files, with a byte order mark, comments and trailing commas. Strict JSON is
 * tried first, so valid text always means what JSON says. Throws SyntaxError.
 */
export function parseLooseJson(text: string): unknown {
  const bare = withoutBom(text);
  try {
    return JSON.parse(bare);
  } catch (strict) {
    try {
      return JSON.parse(dropTrailingCommas(dropComments(bare)));
    } catch {
      // The first error is about the text as written.
      throw strict;
    }
  }
}

/**
 * Matches a string, or a comment to remove. Strings come first, so that a comment sign inside one is kept. A string or
 * comment without an end extends to the end of the text: searching again from the next character would be quadratic.
 */
const COMMENT = /"(?:[^"\\]+|\\[\s\S]?)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const TRAILING_COMMA = /"(?:[^"\\]+|\\[\s\S]?)*"?|,(?=\s*[}\]])/g;

function dropComments(text: string): string {
  return text.replace(COMMENT, (found) => (found.startsWith('"') ? found : ' '));
}

function dropTrailingCommas(text: string): string {
  return text.replace(TRAILING_COMMA, (found) => (found.startsWith('"') ? found : ''));
}

/** Parses JSON text of any depth. Returns undefined if it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true for JSON text. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
