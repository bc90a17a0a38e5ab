import { BYTE, stringEnd } from './scan';

/** Levels of nesting beyond which a text is a frame but is not read as a message. */
export const JSON_DEPTH = 256;

export const JSON_NODES = 4_000_000;

/** Texts shorter than this can't hold a value deeper than `JSON_DEPTH`, nor many nodes. */
const SMALL = 2 * JSON_DEPTH;

/**
 * JSON.parse for what a server sends. Throws RangeError, before parsing, for a text whose value would be nested deeper than
 * `JSON_DEPTH` or have more than `JSON_NODES` members and items: 64 MB of `[` take JSON.parse half a minute and
 * five gigabytes, while 100 MB of one string are nothing. Throws SyntaxError like JSON.parse.
 */
export function parseBounded(text: string): unknown {
  if (text.length >= SMALL) refuseMonsters(text);
  return JSON.parse(text);
}

function refuseMonsters(text: string): void {
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
        if (++nodes > JSON_NODES) throw new RangeError(`more than ${JSON_NODES} values`);
        break;
    }
  }
}

/** Just past the string begun at `at`, or the text's length. */
function afterString(text: string, at: number): number {
  const end = stringEnd(text, at);
  return end < 0 ? text.length : end;
}

/**
 * JSON as people keep it in config files: a byte order mark, `//` and block comments and trailing commas are tolerated.
 * Strict JSON is tried first, so valid text always means what JSON says. Throws SyntaxError.
 */
export function parseLooseJson(text: string): unknown {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(bare);
  } catch (strict) {
    try {
      return JSON.parse(dropTrailingCommas(dropComments(bare)));
    } catch {
      // The first error speaks about the text as it was written.
      throw strict;
    }
  }
}

/**
 * A string, or something to take out. Strings come first so that what looks like a comment inside one is kept. What has no
 * end goes to the end of the text: giving up and looking again from the next character would be quadratic.
 */
const COMMENT = /"(?:[^"\\]+|\\[\s\S]?)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const TRAILING_COMMA = /"(?:[^"\\]+|\\[\s\S]?)*"?|,(?=\s*[}\]])/g;

function dropComments(text: string): string {
  return text.replace(COMMENT, (found) => (found.startsWith('"') ? found : ' '));
}

function dropTrailingCommas(text: string): string {
  return text.replace(TRAILING_COMMA, (found) => (found.startsWith('"') ? found : ''));
}
