import { isMasked } from './placeholders';

/** Matches text that replaces a value in examples, types, templates and code. */
const NO_VALUE = new RegExp(
  `^(?:${[
    // Types, states and answers.
    'true|false|null|undefined|none|nil|string|str|text|number|boolean|bool|int|object|array|bytes|any|unknown|void',
    'required|optional|yes|no|on|off|empty|missing|invalid|expired|revoked|unset|set|not set|ok|valid|default|auto|n/?a',
    'required\\W.*|optional\\W.*|redacted|hidden|masked|removed|secret|password|token|key|change[-_ ]?me|example|placeholder|tbd',
    // Stand-ins: ***, xxxx, <token>, {{ token }}, %s, $TOKEN, your-api-key.
    '[*xX.•_-]+|#[0-9a-fA-F]{3,8}|<[^>\\d]*>|<[^>\\s]*\\s[^>]*>|<[^>]{0,11}>|\\$[A-Za-z_]\\w*|\\$?\\{\\{?.*\\}\\}?|%[sdvq]|%\\w+%|\\[[A-Za-z _-]*\\]',
    '(?:your|my|the|some|test|dummy|fake|sample|example|insert|replace|enter|paste)[-_ ][a-z_ -]{2,40}|[a-z-]{2,12}[-_](?:x{3,}|\\.{3}|…).*|.{0,12}\\.{3}',
    // References to a value that is elsewhere.
    '(?:process\\.env|os\\.environ|env|secrets|vars|config|self|this|props|params|args|req|options|settings)[.:[(].*',
    '(?:op|vault|aws-sm|secretsmanager|ssm|keychain|file|env|ref\\+?\\w*)://?.*|ENC\\[.*|!(?:Ref|Sub|GetAtt|secret|vault)\\b.*',
  ].join('|')})$`,
  'i',
);

/** Returns true if a text can be a secret's value: not an example, a template, or a removed value. */
export function canBeValue(text: string): boolean {
  return text.length > 0 && /[^\s"'`,;:()[\]{}<>|=/\\$]/.test(text) && !isStandIn(text) && !isMasked(text);
}

function isStandIn(text: string): boolean {
  if (!NO_VALUE.test(text.length > 200 ? text.slice(0, 200) : text)) return false;
  // A template that was filled in: `${Xk4v9vQ2m…}`.
  const [, inside] = /^(?:\$\{|<|\{)([^{}<>]*)[}>]$/.exec(text) ?? [];
  return inside === undefined || !isRandom(inside);
}

/**
 * The pairs of letters that words of European languages consist of: after the first letter of each item come those that
 * follow it. Nine of ten words have only such pairs; of random letters, four of ten are such pairs.
 */
const PAIRS = new Set(
  'abcdfgiklmnprstuvwy baeilorsu cacehiklorstu dadeilorsu eabcdefgilmnpqrstvwxy faefiloruy gaehilnorsu haeiortu iabcdefglmnoprstvxz jaeos keis ladeilostuy mabeilmopsu nacdefgiknostuvy oabcdfgiklmnoprstuvw paehiloprstu qu racdefgiklmnorstuvy sacehiklmopstuwy tacehilorstuwy uabcdegilmnprst vaei waehinor xept yps zaei'
    .split(' ')
    .flatMap(([first, ...rest]) => rest.map((next) => first! + next)),
);
/** Shorter parts of a name may be abbreviations. */
const SHORT_WORD_CHARS = 4;
/** Share of pairs that are usual. */
const USUAL = 0.75;

/** Returns true for letters that may be a word, of one case or capitalised. */
function isWord(letters: string): boolean {
  const word = letters.toLowerCase();
  if (word.length < SHORT_WORD_CHARS) return true;
  let usual = 0;
  for (let at = 1; at < word.length; at++) if (PAIRS.has(word.slice(at - 1, at + 1))) usual++;
  return usual >= (word.length <= SHORT_WORD_CHARS + 1 ? word.length - 2 : USUAL * (word.length - 1));
}

/** Longer texts are judged by their beginning. */
const JUDGED_CHARS = 400;
const NOT_ASCII = /[^\0-\x7f]{2,}/g;

/** Returns true for words without digits: prose, a label, a name in any case. Other scripts count as words. */
export function isWords(text: string): boolean {
  const judged = text.slice(0, JUDGED_CHARS).replace(NOT_ASCII, ' ');
  if (/[^A-Za-z\s'’"“”„_.,:;!?()/…-]/.test(judged)) return false;
  return partsOf(judged).every(isWord);
}

/** Returns true for words and short numbers with signs between them: `color-gray-100`, `my-app/v2`. */
export function isIdentifier(text: string): boolean {
  const judged = text.slice(0, JUDGED_CHARS).replace(NOT_ASCII, ' ');
  if (/[^A-Za-z0-9\s'"_.,:;!?()/@#-]/.test(judged)) return false;
  if (!/[A-Za-z]{4}/.test(judged)) return false;
  const parts = judged.split(/[^A-Za-z0-9]+/);
  if (!parts.every((part) => /^(?:v?\d{0,4}|[A-Za-z]+\d?)$/.test(part))) return false;
  const words = parts.flatMap(partsOf);
  return words.some((word) => word.length >= SHORT_WORD_CHARS) && words.every(isWord);
}

/** Splits words at signs, digits and changes of case. */
function partsOf(text: string): readonly string[] {
  const parts = text.replace(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z]+/g) ?? [];
  // Random text in mixed case falls into short pieces. It is judged as one word.
  const short = parts.filter((part) => part.length < SHORT_WORD_CHARS).length;
  return parts.length > 3 && short > parts.length / 2 && !/\s/.test(text) ? [parts.join('')] : parts;
}

/** Dates, times, versions, addresses, sizes, and numbers of fewer digits than a card has. */
const PLAIN_NUMBER =
  /^(?:\d{4}-\d\d-\d\d(?:[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?)?|v?\d{1,5}(?:[.:]\d{1,6}){1,4}|\d{1,7}|(?=.*[.,:/%+-])[\d.,:/%+-]{1,11}|\d[\d.,]*\s?[A-Za-z]{1,5})$/;
/** Characters of a value that can be looked for alone, with letters and digits, and of any other. */
const MIXED_CHARS = 6;
const DISTINCTIVE_CHARS = 8;

/**
 * Returns true for a value that is unlikely to be a word of any language or protocol. Such a value can be looked for
 * alone, and counts as a secret where a name or scheme proves little.
 */
export function isDistinctive(text: string): boolean {
  const least = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]+$/.test(text) ? MIXED_CHARS : DISTINCTIVE_CHARS;
  if (text.length < least || !canBeValue(text) || PLAIN_NUMBER.test(text) || isProtocolWord(text)) return false;
  if (isWords(text) || isPath(text)) return false;
  return text.length >= DISTINCTIVE_CHARS ? !isIdentifier(text) || isRandom(text) : !isIdentifier(text);
}

/** Returns true for dates, versions and other numbers. */
export function isPlainNumber(text: string): boolean {
  return PLAIN_NUMBER.test(text);
}

/** Returns true if a value that a name or shape makes a secret can be looked for alone, without hitting words. */
export function isSearchable(text: string): boolean {
  if (/^(?:[a-z]{3,8}\W{1,3}){11,23}[a-z]{3,8}$/.test(text)) return true;
  return (
    isDistinctive(text) ||
    (text.length >= DISTINCTIVE_CHARS &&
      /\d/.test(text) &&
      /[A-Za-z]/.test(text) &&
      canBeValue(text) &&
      !isWords(text) &&
      !PLAIN_NUMBER.test(text) &&
      !isProtocolWord(text))
  );
}

/** Paths, and URLs without a query. Parts of a path are words. */
function isPath(text: string): boolean {
  return (
    /^(?:[a-z][a-z+.-]*:\/\/|\.{0,2}\/|~\/|[A-Za-z]:\\)/i.test(text) &&
    text.split(/[/\\]/).every((part) => !isRandom(part))
  );
}

/** Methods by prefix. A list of all of them would be in every shared page. */
const METHOD =
  /^(?:completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|subscriptions|tasks|tools)\/[a-zA-Z_/]{1,40}$/;
const SPEC_KEY = /^io\.modelcontextprotocol\//;
const MEDIA_TYPE = /^(?:application|text|image|audio|video)\/[a-z0-9.+-]{1,60}$/;

/**
 * Returns true for text that the protocol itself uses: methods, keys of `_meta`, media types. If a server sends such a
 * word where a secret is expected, it must not be masked in later messages.
 */
export function isProtocolWord(text: string): boolean {
  return METHOD.test(text) || SPEC_KEY.test(text) || MEDIA_TYPE.test(text);
}

/** Bits of entropy per character. Words, paths and identifiers have fewer. */
const RANDOM_BITS = 3.8;
const SHORT_OF_ALL = 0.45;
/** A shorter text with a word in it is a name. */
const SHORT_CHARS = 20;

/** Returns true for a mixture of digits and letters of both cases that is not a digest, a hex id or a path. */
export function isRandom(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text) || /\s/.test(text)) return false;
  if (/^[0-9a-fA-F-]+$/.test(text) || text.split(/[/_-]/).length > 3) return false;
  if (text.length < SHORT_CHARS && /[a-z]{6}/.test(text)) return false;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  // A short text with repeated characters cannot reach RANDOM_BITS.
  return bits >= Math.min(RANDOM_BITS, Math.log2(text.length) - SHORT_OF_ALL);
}

/** Nouns for secrets in a few languages, as labels of forms have them. */
const NOUN =
  /passw|passphr|passcode|kennwort|schlüssel|geheim|zugang|mot de passe|jeton|contrase|clave|senha|chave|parola|wachtwoord|hasło|heslo|lösenord|adgangskode|salasana|şifre|token|secret|\bkey|\bapi\b|credential|sign.?in|log.?in/i;

/** Returns true for what a form calls a field, such as `Enter your password`. `text` is readable. */
export function isLabel(text: string): boolean {
  return (
    isWords(text) && (/[^\0-\x7f]/.test(text) || NOUN.test(text) || (/\s/.test(text) && /^[A-Z]|[.?!…:]$/.test(text)))
  );
}
