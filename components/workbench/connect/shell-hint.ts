/** What only a shell understands. `inDoubleQuotes`: there too. */
const SHELL_WORDS: readonly { readonly pattern: RegExp; readonly inDoubleQuotes?: true }[] = [
  { pattern: /^(?:export|cd|source|alias)(?=\s)/ },
  { pattern: /(?<=^|\s)(?:&&|\|\|?|;|&|\d?>>?(?:&\d)?|<)(?=\s|$)|;(?=\s)|\d?>&\d/ },
  { pattern: /\$(?:\w+|\{[^}]*\}|\()/, inDoubleQuotes: true },
  { pattern: /`/, inDoubleQuotes: true },
  { pattern: /(?<=^|\s)~(?=\/|\s|$)/ },
];

const JSON_OR_URL = /^(?:[{[]|\/[/*]|"[^"\n]*"\s*:|https?:)/i;
const QUOTED = /\\[\s\S]|'[^']*'|"((?:\\[\s\S]|[^"\\])*)"/g;

/**
 * What in a typed command line only a shell would understand, one of each kind: it is passed on as it is. Nothing for what is
 * no command line.
 */
export function shellWords(text: string): readonly string[] {
  const line = text.trim().replace(/^[$%>]\s+/, '');
  if (JSON_OR_URL.test(line)) return [];
  const bare = line.replace(QUOTED, 'x');
  const withDouble = line.replace(QUOTED, (_all, double?: string) => `x${double ?? ''}`);
  return SHELL_WORDS.flatMap(
    ({ pattern, inDoubleQuotes }) => pattern.exec(inDoubleQuotes ? withDouble : bare)?.[0] ?? [],
  );
}
