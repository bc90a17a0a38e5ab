import { LIMITS } from '@/lib/wire/limits';

/** A line that opens many quotes and lists at once: parsers take quadratic time over those, and their stack overflows. */
const DEEP_LINE = /^[ \t]*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*){30}/m;

/** True if text can be given to a Markdown parser without stopping the page. */
export function isParsableMarkdown(text: string): boolean {
  return text.length <= LIMITS.markdownChars && !DEEP_LINE.test(text);
}
