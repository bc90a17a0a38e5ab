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
