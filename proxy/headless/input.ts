import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { usage } from '../cli/exit-code';

/**
 * JSON text from the command line: the word itself, `@FILE` what the file holds, `-` what comes on stdin. Checked to be JSON
 * and otherwise left alone. Throws Stop.
 */
export async function readInput(word: string): Promise<string> {
  const found = word === '-' ? await text(process.stdin) : word.startsWith('@') ? readFile(word.slice(1)) : word;
  const bare = found.startsWith('\uFEFF') ? found.slice(1) : found;
  requireJson(bare, word === '-' ? 'What came on stdin' : `\`${shorten(word)}\``);
  return bare.trim();
}

/** Throws Stop, saying what is wrong with `what`, unless the text is JSON. */
export function requireJson(text: string, what: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw usage(`${what} is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}. Correct it.`);
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usage(
      `The file \`${path}\` can’t be read (${(error as NodeJS.ErrnoException).code}): check the path after \`@\`.`,
    );
  }
}

function shorten(word: string): string {
  return word.length > 60 ? `${word.slice(0, 59)}…` : word;
}
