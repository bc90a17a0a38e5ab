import { byteText } from './byte-text';

const RUN = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{24,65536}={0,2}/g;
/** Characters that tell text from anything else. */
const BEGINNING = 48;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

/** Each run of base64 in a byte text that says a text, and that text. */
export function* base64Texts(
  text: string,
): Generator<{ readonly from: number; readonly to: number; readonly says: string }> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const says = base64Says(run);
    if (says !== undefined) yield { from: index, to: index + run.length, says };
  }
}

/** The text that base64 says; undefined if it is none. Byte text. */
export function base64Says(run: string): string | undefined {
  const says = PLAIN.test(decoded(run.slice(0, BEGINNING)) ?? '\0') ? decoded(run) : undefined;
  return says !== undefined && PLAIN.test(says) ? says : undefined;
}

function decoded(run: string): string | undefined {
  try {
    const binary = atob(run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'));
    return byteText(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
