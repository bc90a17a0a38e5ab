import type { RuleId } from './rules';

/** The place of a name. Naming conventions differ by place. */
export type NamePlace = 'member' | 'header' | 'query' | 'text' | 'flag' | 'variable';

/** The look that a value needs to be a secret. */
type Look =
  | 'any'
  /** Not a plain word: not `token: "identifier"`. */
  | 'not-a-word'
  /** Letters and digits: `key: "a4f2-77xq"`. */
  | 'distinctive'
  /** Distinctive, without spaces and not a number. */
  | 'solid'
  /** Distinctive and longer. */
  | 'opaque'
  /** Hardly ever a word of prose. */
  | 'unlike-words'
  /** `user:password`, plain or in base64. */
  | 'pair'
  /** The words of a wallet's seed. */
  | 'phrase'
  /** Not a word, number or name of a thing. */
  | 'cell'
  /** Both distinctive and a cell. */
  | 'solid-cell'
  /** Machine-made. */
  | 'random';

/** The kind of secret that a name stands for. */
export interface NamedSecret {
  readonly rule: RuleId;
  /** The look that the value needs. */
  readonly value: Look;
  /** The look that makes a value suspicious when sharing. Absent: a value without the needed look is not reported. */
  readonly suspectedIf?: Look;
  /** Only reported for review when sharing. */
  readonly weak?: true;
  /** A number can be the value, too. */
  readonly numbers?: true;
}

/** Longer names are judged by this many characters at their end. */
const MOST_CHARACTERS = 64;

/** Results by name, because the same names occur again and again. */
const judged: Readonly<Record<NamePlace, Map<string, NamedSecret | undefined>>> = {
  ...{ member: new Map(), header: new Map(), query: new Map(), text: new Map(), flag: new Map() },
  variable: new Map(),
};
/** Judged names kept per kind of place. */
const MOST_JUDGED = 2000;

/**
 * Returns the kind of secret that a name stands for; undefined for other names. A very long name is judged by its end.
 */
export function namedSecret(whole: string, place: NamePlace): NamedSecret | undefined {
  if (whole.length < 2 && place !== 'flag') return undefined;
  const name = whole.length > MOST_CHARACTERS ? whole.slice(-MOST_CHARACTERS) : whole;
  const known = judged[place];
  const same = known.get(name);
  if (same !== undefined || known.has(name)) return same;
  const words = wordsOf(name);
  const row = NAMES.find(
    ({ places, name: fits }) => (places === undefined || places.includes(place)) && fits.test(words),
  );
  const secret = row?.rule === undefined ? undefined : row;
  if (known.size >= MOST_JUDGED) known.clear();
  known.set(name, secret);
  return secret;
}

/** Endings that number or qualify a value. They are cut off before a name is judged. */
const VARIANT =
  /-?v?\d{1,4}$|-(?:prod|production|dev|development|test|testing|staging|local|live|old|new|current|prev|previous|backup|default|primary|secondary|value|field|input|confirm|confirmation|repeat|again|plain|raw|string|b64|base64|hex|enc|encoded|encrypted|hash|hashed)$/;

/** Splits `apiKey`, `API_KEY`, `x-api-key` and `Api.Key2` into lower-case words joined by hyphens. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/[\s_.:/-]+/g, '-')
    .replace(/^-|-$|\[\]$/g, '')
    .toLowerCase()
    .replace(VARIANT, '')
    .replace(VARIANT, '');
}

/** An absolute path, in byte text. A password that starts with a slash rarely has only these characters. */
const ABSOLUTE_PATH = /^(?:[A-Za-z]:[\\/]|\/)[\w.@+~ /\\\x80-\xff-]*$/;

/**
 * Returns true for the POSIX variable `PWD`, where a shell keeps its working directory. Any other value of that name is
 * a password.
 */
export function isWorkingDirectory(name: string, value: string): boolean {
  return name === 'PWD' && ABSOLUTE_PATH.test(value);
}

/**
 * The kind of a table: `rows` of a database, as JSON or SQL; a `grid` that a program prints or exports; or a
 * `document`, whose columns may describe secrets.
 */
export type TableKind = 'rows' | 'grid' | 'document';

/** Kinds of secrets whose columns hardly ever hold anything else. */
const SURE: ReadonlySet<NamedSecret['rule']> = new Set(['password', 'oauth', 'private-key', 'api-key', 'token']);

/** Returns what kind of secret a column holds, by its name; undefined for none. */
export function columnSecret(name: string, kind: TableKind): NamedSecret | undefined {
  const named = namedSecret(name, 'member');
  if (!named || named.weak) return kind === 'rows' ? named : undefined;
  const { rule, value } = named;
  if (value === 'phrase' || (value === 'any' && kind === 'rows')) return named;
  if (SURE.has(rule) && (value === 'any' || rule === 'api-key')) {
    return kind === 'document'
      ? { rule, value: 'solid-cell', suspectedIf: 'cell' }
      : { rule, value: 'cell', suspectedIf: 'any' };
  }
  // A column called token, secret or cookie may hold words or names.
  return kind === 'document' ? { rule, value: 'random' } : { rule, value: 'random', suspectedIf: 'opaque' };
}

interface NameRow extends NamedSecret {
  /** Matches the name in lower case, with words joined by hyphens and without a number or variant at its end. */
  readonly name: RegExp;
  readonly places?: readonly NamePlace[];
}

const IN_URLS: readonly NamePlace[] = ['query', 'header'];

/** The first row that matches a name decides. A row without a rule means that the name is not a secret's. */
const NAMES: readonly (NameRow | { readonly name: RegExp; readonly rule?: undefined; readonly places?: undefined })[] =
  [
    // Protocols, parsers and models: not secrets.
    {
      name: /(?:^|-)(?:progress|next|next-?page|page|continuation|continue|cursor|pagination|sync|resume|start|stop|end|first|last|pad|eos|bos|unk|sep|cls|mask|special|syntax|lex|design|max|min|new|prompt|input|output|completion|cancell?ation)-?tokens?$/,
    },
    {
      name: /(?:^|-)(?:total|num|number-of|used|remaining|estimated|cached|reasoning|thinking|audio|image|text|accepted|rejected)-tokens$/,
    },
    { name: /(?:^|-)(?:www|proxy)-authenticate$/ },
    {
      name: /(?:private|secret|signing|encryption|ssh|pgp|gpg|tls|ssl|rsa|ec|deploy|host)-?keys?(?:-?pem)?$|(?:^|-)client-key-data$/,
      rule: 'private-key',
      value: 'any',
    },
    {
      name: /(?:^|-)(?:mnemonic(?:-?(?:phrase|words|seed))?|(?:seed|recovery|backup|wallet)-?(?:phrase|words)|seed)$/,
      ...{ rule: 'seed-phrase', value: 'phrase', suspectedIf: 'opaque' },
    },
    {
      name: /pass-?(?:word|wd|phrase|code)s?$|(?:^|-)(?:pwd|pass)$/,
      rule: 'password',
      value: 'any',
      numbers: true,
    },
    {
      name: /(?:^|-)(?:pin|pin-code|otp|totp|mfa-code|cvv|cvc|ssn)$/,
      rule: 'password',
      value: 'any',
      weak: true,
      numbers: true,
    },
    {
      name: /(?:api|access|account|shared|subscription|service|license|app|auth|consumer|webhook|functions|master|admin|storage|personal-access)-?keys?(?:-?(?:ids?|header))?$/,
      rule: 'api-key',
      value: 'not-a-word',
    },
    {
      name: /secrets?(?:-?(?:access-key|key|token))?$/,
      rule: 'secret',
      value: 'any',
    },
    {
      name: /(?:^|-)(?:code-verifier|device-code|client-assertion|saml-assertion|saml-?response|authorization-code|auth-code)$/,
      rule: 'oauth',
      value: 'any',
    },
    {
      name: /(?:access|refresh|id|auth|bearer|api|session|csrf|xsrf|personal|bot|user|app|client|security|secret|service|registry|deploy|github|gitlab|slack|npm|pypi|hf|jwt|oauth|subject|actor|device|identity|web-?hook|vault)-?tokens?$/,
      rule: 'token',
      value: 'any',
    },
    {
      name: /token(?:-?(?:secret|key))?$|(?:^|-)jwt$|(?:^|-)bearer$|(?:^|-)pat$/,
      rule: 'token',
      value: 'not-a-word',
    },
    { name: /(?:^|-)(?:proxy-)?authorization$|(?:^|-)auth-header$/, rule: 'authorization', value: 'not-a-word' },
    // Facts about secrets, and names that only sound like secrets.
    {
      name: /(?:token|secret|passw(?:or)?d|passphrase|passcode).*-(?:types?|kinds?|counts?|limits?|budget|usage|used|totals?|max|min|length|sizes?|endpoints?|ur[li]s?|path|file|filename|dir|polic(?:y|ies)|rules?|strength|supported|enabled|disabled|required|optional|present|hints?|labels?|titles?|description|placeholder|prompt|messages?|errors?|help|names?|format|pattern|regex|status|expir\w*|ttl|lifetime|at|in|date|time|details|stats|index|position|start|end|offset|rate|price|cost|issuer|scopes?|alg|algorithm|encoding|version|algs?|methods?)$|tokeni[sz]|secretar|secretion/,
    },
    { name: /passw(?:or)?d|passphrase|passcode/, rule: 'password', value: 'solid' },
    { name: /secret/, rule: 'secret', value: 'solid' },
    { name: /token/, rule: 'token', value: 'solid' },
    { name: /cookies?$/, rule: 'cookie', value: 'not-a-word' },
    { name: /(?:^|-)credentials?$|(?:^|-)creds$/, rule: 'credential', value: 'not-a-word' },
    {
      name: /(?:connection|conn)-?(?:string|str)$|(?:database|db|redis|mongo(?:db)?|postgres(?:ql)?|amqp|broker)-?(?:url|uri|dsn)$|(?:^|-)dsn$/,
      rule: 'credential',
      value: 'distinctive',
      weak: true,
    },
    {
      name: /(?:^|-)(?:sig|signature|hmac|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|key|auth|sid|pass|ticket|assertion|samlrequest|samlresponse|subscription-key|login-hint)$/,
      rule: 'secret',
      value: 'any',
      places: IN_URLS,
    },
    { name: /^(?:jsessionid|phpsessid)$/, rule: 'session', value: 'distinctive' },
    { name: /session-?(?:id|key)?$|(?:^|-)sid$/, rule: 'session', value: 'any', places: IN_URLS },
    { name: /^auth$/, rule: 'credential', value: 'pair', places: ['member', 'text'] },
    { name: /(?:^|-)(?:key|auth|license|session)$/, rule: 'secret', value: 'distinctive', places: ['flag'] },
    { name: /^(?:u|user|proxy-user)$/, rule: 'userinfo', value: 'pair', places: ['flag'] },
    // In the server's own variables, these names always mean a secret.
    {
      name: /(?:^|-)(?:key|signature|session|session-?(?:id|key))$|auth(?!or(?!i[sz]))|cookie|credential/,
      ...{ rule: 'secret', value: 'any', places: ['variable'] },
    },
    { name: /session-?(?:id|key|secret)$|(?:^|-)sid$/, rule: 'session', value: 'distinctive', weak: true },
    {
      name: /(?:^|-)(?:key|auth|signature|sig|nonce|salt|verifier|assertion|license|serial|hash-key|csrf|xsrf|sas|ticket|code|state|private|encryption)$/,
      rule: 'secret-name',
      value: 'opaque',
      weak: true,
    },
  ];
