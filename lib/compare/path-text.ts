/** Where a value stands: names of members, indexes of items, and {@link IN_TEXT}. */
export type Path = readonly (string | number | typeof IN_TEXT)[];

/** Into the JSON that a string holds. */
export const IN_TEXT = Symbol('the JSON in this text');

const PLAIN = /^[A-Za-z_$][\w$-]{0,100}$/;

/** A path for people: `content[0].text → items["a b"]`. '' for the value itself. */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path) {
    if (step === IN_TEXT) text += ' → ';
    else if (typeof step === 'number') text += `[${step}]`;
    else if (PLAIN.test(step)) text += text === '' || text.endsWith(' → ') ? step : `.${step}`;
    else text += `[${JSON.stringify(step.length > 100 ? `${step.slice(0, 99)}…` : step)}]`;
  }
  return text.trimEnd();
}
