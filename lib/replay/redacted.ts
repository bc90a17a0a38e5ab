/** What capture and sharing put in the place of secrets. */
const PLACEHOLDER = /•••|\[redacted:[^\]:]{1,64}:[0-9a-f]{1,64}\]/i;

/** True if something in this text of params was taken out. */
export function isRedacted(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** True if this whole string was taken out, so that any value may have stood there. */
export function isAnything(recorded: string): boolean {
  return PLACEHOLDER.exec(recorded)?.[0].length === recorded.length;
}

/** True if `text` is what was recorded, each placeholder standing for any text. */
export function fitsRedacted(recorded: string, text: string): boolean {
  const [first = '', ...rest] = recorded.split(new RegExp(PLACEHOLDER, 'gi'));
  const last = rest.pop();
  if (last === undefined) return recorded === text;
  let at = first.length;
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}
