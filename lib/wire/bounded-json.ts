import { BYTE } from './json-bytes';
import { stringEnd } from './json-scan';
import { LIMITS } from './limits';

/** Texts shorter than this can't hold a value deeper than `LIMITS.jsonDepth`, nor many nodes. */
const SMALL = 2 * LIMITS.jsonDepth;

/**
 * JSON.parse for what a server sends. Throws RangeError, before parsing, for a text whose value would be nested deeper than
 * `LIMITS.jsonDepth` or have more than `LIMITS.jsonNodes` members and items: 64 MB of `[` take JSON.parse half a minute and
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
        if (++depth > LIMITS.jsonDepth) throw new RangeError(`nested deeper than ${LIMITS.jsonDepth}`);
        break;
      case BYTE.closeArray:
      case BYTE.closeObject:
        depth--;
        break;
      case BYTE.comma:
        if (++nodes > LIMITS.jsonNodes) throw new RangeError(`more than ${LIMITS.jsonNodes} values`);
        break;
    }
  }
}

/** Just past the string begun at `at`, or the text's length. */
function afterString(text: string, at: number): number {
  const end = stringEnd(text, at);
  return end < 0 ? text.length : end;
}
