import { withoutAnsi } from '@/lib/wire/control-characters';

/** Most characters quoted from a line in a sentence. */
const QUOTED_CHARS = 300;
/** Characters read for a quote, since some are white space or colours. */
const READ_CHARS = 4096;

/** Quotes the start of a server's text on one line, without colours and NUL. Backticks would end the quotation. */
export function quoteLine(text: string, most = QUOTED_CHARS): string {
  const line = withoutAnsi(text.slice(0, READ_CHARS))
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ')
    .replaceAll('`', "'")
    .trim();
  return line.length <= most ? line : `${line.slice(0, most)}…`;
}
