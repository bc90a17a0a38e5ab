import { deflateSync } from 'fflate';
import { joinBytes } from '@/lib/json/typed-arrays';
import { toBase64Url } from '@/lib/recording/base64';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { LINK_DICTIONARY, shortenLines } from './link-format';

/** A recording that cannot become a link. Codes: `link-too-long`, `link-base`. */
class LinkError extends Error implements Failure {
  readonly code: string;
  readonly advice: string;

  constructor(code: string, message: string, advice: string) {
    super(message);
    this.name = 'LinkError';
    this.code = code;
    this.advice = advice;
  }
}

/**
 * Returns a link to the page at `base` that contains a recording (whole lines, in UTF-8). Its fragment is
 * `recording=1.` and the shortened lines, raw-deflated with {@link LINK_DICTIONARY}, in base64url. Browsers do not send
 * fragments. Throws {@link LinkError}.
 */
export function createRecordingLink(base: string, recording: Uint8Array): string {
  const page = pageOf(base);
  if (recording.length > LIMITS.linkUnpackedBytes) throw tooLong(`${recording.length} bytes`);
  const lines = new TextEncoder().encode(shortenLines(new TextDecoder().decode(recording)));
  const dictionary = new TextEncoder().encode(LINK_DICTIONARY);
  const link = `${page}#recording=1.${toBase64Url(deflateSync(lines, { level: 9, mem: 12, dictionary }))}`;
  if (link.length <= LIMITS.linkChars) return link;
  throw tooLong(`${link.length} characters`);
}

/** Collects the lines of a recording for a link. Stops with a {@link LinkError} once there are too many. */
export async function linesForLink(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const lines: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > LIMITS.linkUnpackedBytes) throw tooLong(`more than ${LIMITS.linkUnpackedBytes} bytes`);
    lines.push(chunk);
  }
  return joinBytes(lines);
}

function tooLong(size: string): LinkError {
  return new LinkError(
    'link-too-long',
    `This recording is too large for a link (${size}). Browsers open links of at most ${LIMITS.linkChars} characters.`,
    'Choose fewer frames, or share a file or a page.',
  );
}

function pageOf(base: string): string {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    url.hash = '';
    return url.href;
  }
  throw new LinkError(
    'link-base',
    `\`${base.slice(0, 200)}\` is not a web address.`,
    'Give the http or https URL of the mcp-inspect page, without user and password.',
  );
}
