import { isObject, type JsonObject, own } from '@/lib/json/value';

/** Longest frontmatter that is parsed, in characters. Names and descriptions are far shorter. */
const MOST_YAML = 64 * 1024;

/** Cuts the YAML from the start of a SKILL.md. `problem`: why there is none. */
export function frontmatterText(markdown: string): { readonly yaml: string } | { readonly problem: string } {
  const text = markdown.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (!text.startsWith('---\n')) return { problem: 'SKILL.md does not begin with a line `---`.' };
  const rest = text.slice(4);
  const end = /^---[\t ]*$/m.exec(rest)?.index;
  if (end === undefined) return { problem: 'The frontmatter of SKILL.md has no closing line `---`.' };
  if (end > MOST_YAML) return { problem: `The frontmatter of SKILL.md is longer than ${MOST_YAML} characters.` };
  return { yaml: rest.slice(0, end) };
}

/** Compares the frontmatter in an entry with that of its SKILL.md. Returns a sentence for each field that differs. */
export function frontmatterDifferences(entry: JsonObject, parsed: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(entry), ...Object.keys(parsed)])].sort().flatMap((key) => {
    const [said, real] = [own(entry, key), own(parsed, key)];
    return isSame(said, real) ? [] : [`${key}: the entry has ${shown(said)}, SKILL.md has ${shown(real)}.`];
  });
}

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, place) => isSame(item, other[place]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length && names.every((name) => isSame(own(one, name), own(other, name)))
    );
  }
  return one === other;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing');
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
