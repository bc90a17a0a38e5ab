import type { RuleId } from './rules';

/** Where a name was found: different places have different habits. */
export type NamePlace = 'member' | 'header' | 'query' | 'text' | 'flag' | 'variable';

type Need =
  | 'any'
  | 'word-no'
  | 'telling'
  | 'solid'
  | 'opaque'
  | 'unlike-words'
  | 'pair'
  | 'phrase'
  | 'cell'
  | 'solid-cell'
  | 'random';

/** What a name makes of its value. */
export interface NamedSecret {
  readonly rule: RuleId;
  /**
   * What the value has to be for that: `any` text, no plain `word` (`token: "identifier"`), or `telling` (letters and digits;
   * `key: "a4f2-77xq"`),
   * `solid`, which is that, in one piece, and no number, `opaque`, which is telling and longer, `unlike-words`, what prose can hardly have,
   * `pair`, a user and a password, as `user:password` or in base64, `phrase`, the words of a wallet's seed, `cell`, no word, number or name of
   * anything, `solid-cell`, which is both, or `random`, which looks made by a machine.
   */
  readonly value: Need;
  /** What another value has to be, to be a reason to ask when a recording is shared; without it, such a value is none. */
  readonly asked?: NamedSecret['value'];
  /** Only a reason to ask when a recording is shared. */
  readonly weak?: true;
  /** A number is one as well. */
  readonly numbers?: true;
}

interface NameRow extends NamedSecret {
  /** Against the name in lower case, its words joined by hyphens, without a number or a variant at its end. */
  readonly name: RegExp;
  readonly places?: readonly NamePlace[];
}

const IN_URLS: readonly NamePlace[] = ['query', 'header'];

/** The first row that fits a name decides; `undefined` in the place of a secret ends it. */
const NAMES: readonly (NameRow | { readonly name: RegExp; readonly rule?: undefined; readonly places?: undefined })[] =
  [
    // Of protocols, parsers and models: no secrets.
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
      ...{ rule: 'seed-phrase', value: 'phrase', asked: 'opaque' },
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
      value: 'word-no',
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
      value: 'word-no',
    },
    { name: /(?:^|-)(?:proxy-)?authorization$|(?:^|-)auth-header$/, rule: 'authorization', value: 'word-no' },
    // Facts about secrets, and what only sounds like one.
    {
      name: /(?:token|secret|passw(?:or)?d|passphrase|passcode).*-(?:types?|kinds?|counts?|limits?|budget|usage|used|totals?|max|min|length|sizes?|endpoints?|ur[li]s?|path|file|filename|dir|polic(?:y|ies)|rules?|strength|supported|enabled|disabled|required|optional|present|hints?|labels?|titles?|description|placeholder|prompt|messages?|errors?|help|names?|format|pattern|regex|status|expir\w*|ttl|lifetime|at|in|date|time|details|stats|index|position|start|end|offset|rate|price|cost|issuer|scopes?|alg|algorithm|encoding|version|algs?|methods?)$|tokeni[sz]|secretar|secretion/,
    },
    { name: /passw(?:or)?d|passphrase|passcode/, rule: 'password', value: 'solid' },
    { name: /secret/, rule: 'secret', value: 'solid' },
    { name: /token/, rule: 'token', value: 'solid' },
    { name: /cookies?$/, rule: 'cookie', value: 'word-no' },
    { name: /(?:^|-)credentials?$|(?:^|-)creds$/, rule: 'credential', value: 'word-no' },
    {
      name: /(?:connection|conn)-?(?:string|str)$|(?:database|db|redis|mongo(?:db)?|postgres(?:ql)?|amqp|broker)-?(?:url|uri|dsn)$|(?:^|-)dsn$/,
      rule: 'credential',
      value: 'telling',
      weak: true,
    },
    {
      name: /(?:^|-)(?:sig|signature|hmac|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|key|auth|sid|pass|ticket|assertion|samlrequest|samlresponse|subscription-key|login-hint)$/,
      rule: 'secret',
      value: 'any',
      places: IN_URLS,
    },
    { name: /^(?:jsessionid|phpsessid)$/, rule: 'session', value: 'telling' },
    { name: /session-?(?:id|key)?$|(?:^|-)sid$/, rule: 'session', value: 'any', places: IN_URLS },
    { name: /^auth$/, rule: 'credential', value: 'pair', places: ['member', 'text'] },
    { name: /(?:^|-)(?:key|auth|license|session)$/, rule: 'secret', value: 'telling', places: ['flag'] },
    { name: /^(?:u|user|proxy-user)$/, rule: 'userinfo', value: 'pair', places: ['flag'] },
    // Whoever gives a server a variable of such a name means nobody else.
    {
      name: /(?:^|-)(?:key|signature|session|session-?(?:id|key))$|auth(?!or(?!i[sz]))|cookie|credential/,
      ...{ rule: 'secret', value: 'any', places: ['variable'] },
    },
    { name: /session-?(?:id|key|secret)$|(?:^|-)sid$/, rule: 'session', value: 'telling', weak: true },
    {
      name: /(?:^|-)(?:key|auth|signature|sig|nonce|salt|verifier|assertion|license|serial|hash-key|csrf|xsrf|sas|ticket|code|state|private|encryption)$/,
      rule: 'secret-name',
      value: 'opaque',
      weak: true,
    },
  ];

const MOST_CHARACTERS = 64;

/** The same names come again and again. */
const judged: Readonly<Record<NamePlace, Map<string, NamedSecret | undefined>>> = {
  ...{ member: new Map(), header: new Map(), query: new Map(), text: new Map(), flag: new Map() },
  variable: new Map(),
};
const MOST_JUDGED = 2000;

/** What the value of a name is taken for; undefined for no secret. Of names longer than anybody gives the end counts. */
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

/** An absolute path, in byte text. A password that begins with a slash rarely keeps to these characters. */
const ABSOLUTE_PATH = /^(?:[A-Za-z]:[\\/]|\/)[\w.@+~ /\\\x80-\xff-]*$/;

/**
 * True for the POSIX variable `PWD`: a shell keeps its working directory there. Any other value of that name is a
 * password.
 */
export function isWorkingDirectory(name: string, value: string): boolean {
  return name === 'PWD' && ABSOLUTE_PATH.test(value);
}

/** Which one of several it is, or how it is written: the name before it says what it is. */
const VARIANT =
  /-?v?\d{1,4}$|-(?:prod|production|dev|development|test|testing|staging|local|live|old|new|current|prev|previous|backup|default|primary|secondary|value|field|input|confirm|confirmation|repeat|again|plain|raw|string|b64|base64|hex|enc|encoded|encrypted|hash|hashed)$/;

/** `apiKey`, `API_KEY`, `x-api-key`, `Api.Key2` → words joined by hyphens. */
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

/**
 * What a table is: `rows` of a database, as JSON or as statements; a `grid` or a list of values, as programs print and export them; or a
 * `document`, whose columns may be about secrets as well.
 */
export type TableKind = 'rows' | 'grid' | 'document';

/** Of which a column hardly has anything else in it. */
const SURE: ReadonlySet<NamedSecret['rule']> = new Set(['password', 'oauth', 'private-key', 'api-key', 'token']);

/** What is secret in the column of a table by what it is called; undefined for no secret. */
export function columnSecret(name: string, kind: TableKind): NamedSecret | undefined {
  const named = namedSecret(name, 'member');
  if (!named || named.weak) return kind === 'rows' ? named : undefined;
  const { rule, value } = named;
  if (value === 'phrase' || (value === 'any' && kind === 'rows')) return named;
  if (SURE.has(rule) && (value === 'any' || rule === 'api-key')) {
    return kind === 'document' ? { rule, value: 'solid-cell', asked: 'cell' } : { rule, value: 'cell', asked: 'any' };
  }
  // What is called token, secret or cookie may be words, names, or kinds of them.
  return kind === 'document' ? { rule, value: 'random' } : { rule, value: 'random', asked: 'opaque' };
}
