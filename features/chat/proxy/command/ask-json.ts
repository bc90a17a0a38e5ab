import { parseArguments } from '@/features/chat/lib/ask-model';
import { HIDDEN_CHARACTERS, unitEscapes } from '@/lib/wire/control-characters';
import type { ChatTerminal } from './chat-terminal';

// Also what a terminal would show as another character.
const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}\\p{Cf}]`, 'gu');

/**
 * Lets a person change a JSON object. Asks until it is one. Resolves with its text; with undefined if it is empty, or
 * at the end of the input.
 */
export async function askJson(
  terminal: ChatTerminal,
  prompt: string,
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Line breaks are only between values, and hidden characters only in strings, where an escape means the same.
  let line = text.replace(/[\r\n]+\s*/g, ' ').replace(HIDDEN, unitEscapes);
  for (;;) {
    const typed = await terminal.ask(prompt, { signal, text: line, multiline: true });
    if (typed === undefined || typed.trim() === '') return undefined;
    const read = parseArguments(typed);
    if (typeof read !== 'string') return typed;
    terminal.print([{ text: `  ${read}`, tone: 'warn' }]);
    line = typed;
  }
}
