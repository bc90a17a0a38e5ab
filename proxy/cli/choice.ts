import { suggestion } from './closest';
import { usageError } from './exit-code';

/** Characters shown of a word. */
const SHOWN = 60;

/**
 * Returns the choice that a word is. Throws an ExitError that suggests one, or lists all. `what`: an option such as
 * `--compare`, or another word for it.
 */
export function choiceOf<const T extends string>(what: string, word: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === word);
  if (found !== undefined) return found;
  const shown = word.slice(0, SHOWN);
  const named = what.startsWith('-') ? `\`${what}${what.includes('=') ? '' : ' '}${shown}\`` : `${what} \`${shown}\``;
  throw usageError(`Unknown ${named}: ${suggestion(word, choices)}`);
}
