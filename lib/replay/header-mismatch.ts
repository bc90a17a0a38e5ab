import type { Outgoing } from '@/lib/transports/outgoing';
import type { ParamHeaders } from '@/lib/transports/param-headers';
import { requestHeaders } from '@/lib/transports/request-headers';
import type { Refused } from './openings';

/** The code for a header that does not say what its body says (2026-07-28). */
const HEADER_MISMATCH = -32020;
const ABOUT_CONTENT = ['Content-Type', 'Accept'];
const BASE64 = /^=\?base64\?(.*)\?=$/;

/**
 * What is wrong with the headers of a modern POST: each that repeats the message has to be there, and to say the same.
 * `header` gives a header's value by its name. `tools`: the recorded ones, some of whose arguments are headers.
 */
export function headerMismatch(
  message: Outgoing,
  tools: ParamHeaders,
  header: (name: string) => string | undefined,
): Refused | undefined {
  for (const [name, wanted] of requestHeaders(message, undefined, undefined, tools)) {
    const given = header(name.toLowerCase());
    if (ABOUT_CONTENT.includes(name) || (given !== undefined && decoded(given) === decoded(wanted))) continue;
    const how = given === undefined ? 'is missing' : 'is not what the message says';
    return { code: HEADER_MISMATCH, message: `The header ${name} ${how}.` };
  }
  return undefined;
}

/** A header's value in either of its two forms. */
function decoded(value: string): string {
  const text = BASE64.exec(value)?.[1];
  return text === undefined ? value.trim() : bytesText(text);
}

function bytesText(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return base64;
  }
}
