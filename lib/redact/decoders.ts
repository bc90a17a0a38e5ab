import { byteText, byteTextOf, type Run, strictlyReadable } from './byte-text';
import { inflate } from './inflate';

/** Terminal colours, which loggers put around names and values. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
export const CSI = /\u001b\[[0-?]{0,32}[ -/]{0,4}[@-~]/g;

/** Ways to write a text otherwise, character by character. Each text that has one of the signs is decoded. */
export const DECODERS: readonly {
  readonly sign: string;
  /** Absent: always. */
  readonly when?: RegExp;
  readonly pattern: RegExp;
  readonly meaning: (written: string) => string;
}[] = [
  // Characters without a width, and soft hyphens.
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad'].map((character) => {
    const sign = byteTextOf(character);
    return { sign, pattern: new RegExp(sign, 'g'), meaning: () => '' };
  }),
  // Not one letter or sign alone, as in the password of a URL.
  {
    sign: '%',
    when: /%(?:25|3d|3a|22|7b)|(?:%[2-7][\da-f]){6}/i,
    pattern: /%[2-7][0-9A-Fa-f]/g,
    meaning: (text) => characterOf(text.slice(1)),
  },
  // HTML.
  {
    sign: '&#',
    pattern: /&#(?:\d{2,3}|x[0-9A-Fa-f]{2});/gi,
    meaning: (text) => String.fromCharCode(Number.parseInt(text.replace(/^&#/, '0'), /x/i.test(text) ? 16 : 10) & 0x7f),
  },
  { sign: '&', pattern: /&(?:amp|quot|lt|gt);/g, meaning: (text) => ENTITIES[text]! },
  // JSON in JSON, and strings of programs.
  { sign: '\\u00', pattern: /\\u00[2-7][0-9A-Fa-f]/gi, meaning: (text) => characterOf(text.slice(4)) },
  { sign: '\\x', pattern: /\\x[2-7][0-9A-Fa-f]/g, meaning: (text) => characterOf(text.slice(2)) },
  // Soft line breaks of mail and of shells, and long tokens that are wrapped at a width.
  { sign: '=', pattern: /=\r?\n|=3D/g, meaning: (text) => (text === '=3D' ? '=' : '') },
  { sign: '\\\n', pattern: /\\\n/g, meaning: () => '' },
  {
    sign: '\n',
    pattern: /\r?\n(?<=[A-Za-z0-9+/=_-]{40}\r?\n)[ \t]{0,8}(?=[A-Za-z0-9+/=_-])/g,
    meaning: () => '',
  },
  // "a" + "b"
  { sign: '+', pattern: /(["'`])\s{0,20}\+\s{0,20}\1/g, meaning: () => '' },
];

/** Matches every text that has one of the signs, and others. */
export const SIGN = new RegExp(
  `[${[...new Set(DECODERS.map(({ sign }) => sign[0]!))].map((one) => `\\${one}`).join('')}]`,
);

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>' };

function characterOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/** Bytes that a run may inflate to. */
const MOST_BYTES = 262_144;
const HEX = /^(?:0x)?(?:[0-9a-f]{2}){16,}$/i;
/** How hex of text, of UTF-16 and of packed data begins. */
const HEX_BEGINS =
  '(?:0x)?(?:(?:[2-7][\\dA-Fa-f]|0[9ADad]){8}|(?:[2-7][\\dA-Fa-f]00){4}|1[Ff]8[Bb]08|78(?:01|5[Ee]|9[Cc]|[Dd][Aa]))';
/** The same for base64. */
const BASE64_BEGINS =
  '(?:[A-Za-f][A-HQ-Xg-nw-z0-3][\\w+/-]{2}){6}|[A-Za-f][AQgw][A-D][\\w+/]A[A-P][\\w+/]|H4sI|e[AFJN]';
/** Raw deflated data begins with the kind of its only block. Shorter data is too often something else. */
const RAW_BEGINS =
  '(?:[ACEGIKMOQSUWYacegikmoqsuwy02468+-][w-z0-9+/_-]|[BDFHJLNPRTVXZbdfhjlnprtvxz13579/_][Q-Za-f])[\\w+/-]{36}';
const BEGINS_HEX = new RegExp(`^${HEX_BEGINS}`);
const ENCODED = new RegExp(
  `(?<![\\w+/=-])(?=${HEX_BEGINS}|${BASE64_BEGINS}|${RAW_BEGINS})[\\w+/-]{24,65536}={0,2}`,
  'g',
);

/** Finds the texts that are encoded or packed in a run: base64, base64url, hex, UTF-16, gzip and deflate. */
export function* findEncodedTexts(run: Run): Generator<Run & { readonly to: number }> {
  for (let match = ENCODED.exec(run.text); match; match = ENCODED.exec(run.text)) {
    const { 0: written, index } = match;
    const text = textIn(bytesOf(written));
    const from = run.from + index;
    if (text !== undefined) yield { from, to: from + written.length, text };
  }
}

/** Decodes hex or base64; undefined for anything else. */
function bytesOf(run: string): Uint8Array | undefined {
  if (HEX.test(run)) {
    const pairs = BEGINS_HEX.test(run) ? run.replace(/^0x/, '').match(/../g)! : [];
    return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  }
  try {
    const binary = atob(run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'));
    // Much faster than `Uint8Array.from`.
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return undefined;
  }
}

/** Returns the byte text that bytes are, packed or not; undefined for none. */
function textIn(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.length === 0) return undefined;
  return plainText(bytes) ?? plainText(unpacked(bytes));
}

function unpacked(bytes: Uint8Array): Uint8Array | undefined {
  const [first, second] = bytes;
  // The head of gzip has ten bytes and, for some, the name of the file; that of zlib two.
  if (first === 0x1f && second === 0x8b) {
    const name = (bytes[3]! & 8) === 0 ? 10 : bytes.indexOf(0, 10) + 1;
    return inflate(bytes, name, MOST_BYTES);
  }
  if (first === 0x78 && ((first << 8) | second!) % 31 === 0) return inflate(bytes, 2, MOST_BYTES);
  return inflate(bytes, 0, MOST_BYTES);
}

/** Matches text: no control characters but those of lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const TEXT = /^[^\0-\x08\x0b\x0c\x0e-\x1f\x7f]{8,}$/;

function plainText(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.length < 8) return undefined;
  const isWide = bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0;
  const text = byteText(isWide ? bytes.filter((_, at) => at % 2 === 0) : bytes);
  return TEXT.test(text) && strictlyReadable(text) !== undefined ? text : undefined;
}
