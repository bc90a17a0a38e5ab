import { closest } from './closest';
import type { Option } from './options';

/** That there is no such option, as a sentence, with the one that was meant, or what to do where none is near: `otherwise`. */
export function unknownOption(rawName: string, known: readonly Option[], otherwise: string): string {
  const near = closest(
    rawName.replace(/^-+/, ''),
    known.map(({ name }) => name),
  );
  return `There is no option \`${rawName}\`: ${near ? `did you mean \`--${near}\`?` : `${otherwise}.`}`;
}
