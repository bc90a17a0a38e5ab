import { LIMITS } from '@/lib/wire/limits';

/** True if text can be given to the Markdown parser without stopping the page; what it makes of the text has bounds of its own. */
export function isParsableMarkdown(text: string): boolean {
  return text.length <= LIMITS.markdownChars;
}
