import type { RuleId } from './rules';

/** The place of a name. The same name means different things in different places. */
export type NamePlace = 'member' | 'header' | 'query' | 'text' | 'flag' | 'variable';

/**
 * How much a name proves. After a `sure` one, any value is a secret. After a `likely` one, any but words. A `weak` one
 * makes a value that looks like a token suspicious when sharing.
 */
type Grade = 'sure' | 'likely' | 'weak';

/** The kind of secret that a name stands for. */
export interface SecretName {
  readonly rule: RuleId;
  readonly grade: Grade;
  /** The value is `user:password`, plain or in base64. */
  readonly pair?: boolean;
  /** An absolute path is not secret: a shell keeps its working folder in `PWD`. */
  readonly orFolder?: boolean;
}

/** A kind of names. */
interface NameRow extends SecretName {
  /** Matches the name in lower case, with words joined by hyphens and without a number or variant at its end. */
  readonly name: RegExp;
  /** Absent: everywhere. */
  readonly places?: readonly NamePlace[];
}

const row = (rule: RuleId, grade: Grade, name: RegExp, places?: readonly NamePlace[]): NameRow => ({
  rule,
  grade,
  name,
  ...(places && { places }),
});

const IN_URLS: readonly NamePlace[] = ['query', 'header'];
const ON_COMMAND_LINES: readonly NamePlace[] = ['variable', 'flag'];

/**
 * The first row that matches a name decides. A row without a rule means that the name is not a secret's. Words of
 * {@link SAME} stand here by their first word.
 */
export const NAMES: readonly (
  | NameRow
  | { readonly name: RegExp; readonly rule?: undefined; readonly places?: undefined }
)[] = [
  // Protocols, parsers and models: not secrets.
  {
    name: /(?:^|-)(?:progress|next|next-?page|page|continuation|continue|cursor|pagination|sync|resume|start|stop|end|first|last|pad|eos|bos|unk|sep|cls|mask|special|syntax|lex|design|max|min|new|prompt|input|output|completion|cancell?ation|color|theme|space|punctuation|sort|partition|primary|foreign|public|cache|idempotency|object|row|group|routing)-?(?:token|key)$|^client-(?:request-)?token$/,
  },
  {
    name: /(?:^|-)(?:total|num|number-of|used|remaining|estimated|cached|reasoning|thinking|audio|image|text|accepted|rejected)-token$/,
  },
  {
    name: /^lib-|secret-?manager|(?:^|-)(?:www|proxy)-authenticate$|^author(?:s|ity|ities)?(?:-|$)|(?:^|-)public-?key/,
  },
  // Facts about secrets, and names that only sound like secrets.
  {
    name: /(?:token|secret|password|credential|api-?key|authorization|cookie|auth).*-(?:types?|kinds?|counts?|limits?|budget|usage|used|totals?|max|min|length|sizes?|endpoints?|ur[li]s?|path|file|filename|dir|polic(?:y|ies)|rules?|strength|supported|enabled|disabled|required|optional|present|hints?|labels?|titles?|description|placeholder|prompt|messages?|errors?|help|names?|format|pattern|regex|status|expir\w*|ttl|lifetime|at|in|date|time|details|stats|index|position|start|end|offset|rate|price|cost|issuer|scopes?|alg|algorithm|encoding|version|algs?|methods?|ref|source|store|provider|manager|scheme|header|prefix|domain|mode|level|engine|count|valid|invalid)$|tokeni[sz]|secretar|secretion|(?:^|-)(?:forgot|reset|change|update|show|hide|confirm|enter|missing|invalid|no|has|is|use|requires?|with|without|delete|create|rotate|revoke|get|set|list|validate)-(?:\w+-)?(?:password|token|secret|api-?key|credential)$/,
  },
  row(
    'private-key',
    'sure',
    /(?:private|secret|signing|sign|encryption|ssh|pgp|gpg|tls|ssl|rsa|ec|deploy|host|master|account)-?key(?:-?pem)?$|(?:^|-)client-key-data$/,
  ),
  row(
    'seed-phrase',
    'sure',
    /(?:^|-)(?:mnemonic(?:-?(?:phrase|words|seed))?|(?:seed|recovery|backup|wallet)-?(?:phrase|words|codes?))$/,
  ),
  { ...row('password', 'sure', /^(?:old-?)?pwd$/), orFolder: true },
  row('password', 'sure', /password$|(?:^|-)pwd$|(?<!by|com|tres|sur|under|over)pass$/),
  row('password', 'weak', /(?:^|-)(?:pin|pin-code|otp|totp|mfa-code|2fa|cvv|cvc|ssn|card-number)$/),
  row(
    'api-key',
    'likely',
    /(?:api|access|shared|shared-access|subscription|service|license|app|application|auth|consumer|webhook|functions|admin|storage|personal-access|integration|ingest|ingestion|write|publish|publishable|anon|client|project|team|organi[sz]ation|workspace|developer|dev|bot|sdk|server|partner|user|machine|data|sas|de-la|zugangs)-?key(?:-?(?:ids?|header))?$|(?:^|-)(?:schlüssel|clé|chave|密钥|キー|ключ)(?:-(?:de-)?(?:api|secreta|secrète|d-api))?$|(?:apiキー|api-密钥)$/,
  ),
  row('secret', 'sure', /secret(?:-?(?:access-key|key|token|value|string))?$/),
  row(
    'oauth',
    'likely',
    /(?:^|-)(?:code-verifier|device-code|client-assertion|saml-assertion|saml-?response|authorization-code|auth-code|code-challenge-verifier)$/,
  ),
  row('authorization', 'likely', /(?:^|-)(?:proxy-)?authorization$|(?:^|-)auth-header$/),
  row('password', 'likely', /password/),
  row('secret', 'likely', /secret/),
  row('token', 'likely', /token|(?:^|-)bearer-auth$/),
  row('cookie', 'likely', /cookie$/),
  row('credential', 'likely', /(?:^|-)credential$/),
  row(
    'credential',
    'weak',
    /(?:connection|conn)-?(?:string|str)$|(?:database|db|redis|mongo(?:db)?|postgres(?:ql)?|amqp|broker)-?(?:url|uri|dsn)$|(?:^|-)dsn$/,
  ),
  row(
    'secret',
    'likely',
    /(?:^|-)(?:sig|signature|hmac|x-amz-signature|x-amz-credential|x-goog-signature|key|auth|sid|appid|ticket|assertion|samlrequest|samlresponse|login-hint|xoxc|sessionkey)$/,
    IN_URLS,
  ),
  row('oauth', 'likely', /^(?:code|state)$/, ['query']),
  row('secret', 'likely', /(?:^|-)(?:[ht]?otp|mfa|2fa)-?(?:seed|key)$/),
  row('session', 'likely', /^(?:jsessionid|phpsessid|asp-net-session-?id|connect-sid)$/),
  row('session', 'likely', /session-?(?:id|key)?$|(?:^|-)sid$/, IN_URLS),
  { ...row('credential', 'likely', /^auth$|(?:^|-)basic-auth$/, ['member', 'text']), pair: true },
  row('secret', 'likely', /(?:^|-)(?:key|auth|license|session)$/, ['flag']),
  { ...row('userinfo', 'likely', /^(?:u|user|proxy-user)$/, ['flag']), pair: true },
  // In a server's own variables, these names always mean a secret.
  row(
    'secret',
    'likely',
    /(?:^|-)(?:key|signature|session|session-?(?:id|key))$|auth(?!or(?!i[sz]))|cookie|credential/,
    ON_COMMAND_LINES,
  ),
  row('session', 'weak', /session-?(?:id|key|secret)$|(?:^|-)sid$/),
  row(
    'secret-name',
    'weak',
    /(?:^|-)(?:key|auth|signature|sig|nonce|verifier|assertion|license|serial|hash-key|csrf|xsrf|ticket|code|state|private|encryption|hmac|seed)$/,
  ),
];

/** Words that mean the same as the first of their line. */
const SAME = `
password passwords passwd passwort passphrase passcode psk pw mdp kennwort kennworte userpwd bindpw contraseña contraseñas contrasena contrasenas senha senhas parola wachtwoord hasło haslo heslo lösenord losenord adgangskode salasana şifre sifre пароль 密码 密碼 パスワード 비밀번호 암호 passe clave
secret secrets salt pepper geheimnis secreto segredo секрет
token tokens tkn jwt bearer pat sas jeton токен 令牌 トークン
credential credentials cred creds
cookie cookies
key keys
schlüssel schluessel
`;

/** The first word of its line for each word of {@link SAME}. */
export const MEANING: ReadonlyMap<string, string> = new Map(
  SAME.trim()
    .split('\n')
    .flatMap((line) => line.split(' ').map((word) => [word, line.slice(0, line.indexOf(' '))] as const)),
);

/** Words that others are written together with: `authtoken`, `requirepass`. */
export const TOGETHER =
  /([a-z]{2,})(password|passwd|passwort|passphrase|passcode|secret|token|tkn|psk|pwd|cred|credential|cookie)(s?)(?=-|$)|(?<=(?:^|-)(?:api|access|auth|private|secret|master|root|admin|client|app|user|bind|db|my))(key|pw|pass)(?=s?(?:-|$))/g;

/** Endings that number or qualify a value. They are cut off before a name is judged. */
export const VARIANT =
  /-?v?\d{1,4}$|-(?:prod|production|dev|development|test|testing|staging|local|live|old|new|current|prev|previous|backup|default|primary|secondary|value|field|input|confirm|confirmation|repeat|again|plain|raw|string|b64|base64|hex|enc|encoded|encrypted|hash|hashed|eu|us|ro|rw|read|write|main)$/;

/**
 * Members that give an object its name, and those that hold its value: `Name` and `Value`, `ParameterKey` and
 * `ParameterValue`.
 */
export const LABEL = /^(?:[a-z]{0,20}(?:Name|Key)|name|key|header|field|id|label)$/i;
export const LABELLED = /^(?:[a-z]{0,20}val(?:ue)?|text|content|k)$/i;
/** Members that say what an object is. */
export const KIND = /^(?:type|kind|kty|variant|class)$/i;
/** Members that describe their object, and schema keywords. */
export const ABOUT =
  /^(?:[$].*|type|format|pattern|title|description|name|label|kind|url|uri|href|required|properties|patternProperties|additionalProperties|propertyNames|items|prefixItems|anyOf|oneOf|allOf|not|if|then|else|definitions|dependent\w+|content\w+|createdAt|created_at|updatedAt|updated_at|expires\w*|id|user\w*|host|in|scheme|email|login)$/;
