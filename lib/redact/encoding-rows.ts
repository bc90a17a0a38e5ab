/** Beginnings of {@link HIDES}. */
export const HIDERS = ['\\u00', '\u001b[', '&#', '%25'];
/** Matches what may hide a text: an escaped ASCII character, which programs rarely write, or the start of a colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
export const HIDES = /\\u00(?:[2-7]|1b)|\u001b\[|&#|%25/i;

/** Terminal colours, which loggers put around names and values. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
export const CSI = /\u001b\[[0-?]{0,32}[ -/]{0,4}[@-~]/g;

/** Ways to write a character other than JSON's own. Each text that has one of the signs is decoded. */
export const WRITTEN: readonly {
  readonly sign: string;
  readonly pattern: RegExp;
  readonly meaning: (written: string) => string;
}[] = [
  // URLs in URLs.
  { sign: '%25', pattern: /%25(?=[0-9A-Fa-f]{2})/g, meaning: () => '%' },
  // HTML.
  {
    sign: '&#',
    pattern: /&#(?:\d{2,3}|x[0-9A-Fa-f]{2});/gi,
    meaning: (text) => String.fromCharCode(Number.parseInt(text.replace(/^&#/, '0'), /x/i.test(text) ? 16 : 10) & 0x7f),
  },
  // JSON in JSON.
  {
    sign: '\\u00',
    pattern: /\\u00[2-7][0-9A-Fa-f]/gi,
    meaning: (text) => String.fromCharCode(Number.parseInt(text.slice(2), 16)),
  },
  // Base64, PEM and long tokens, wrapped at a width.
  {
    sign: '\n',
    pattern: /\r?\n(?<=[A-Za-z0-9+/=_-]{40}\r?\n)[ \t]{0,8}(?=[A-Za-z0-9+/=_-])/g,
    meaning: () => '',
  },
];
