import type { RuleId } from './rules';
import { isBasic, isPair, isTyped, type Shape } from './shapes';
import { canBeValue, isDistinctive, isWords } from './values';

const MIXED = 'aBcDeFgHiJ1kLmNoPqRs2tUvWxYz3AbCdEfGh4IjKlMnOpQ5rStUvWxYz6aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789';
const HEX = '0123456789abcdef'.repeat(4);

/** An entry in a file of passwords, recognised by its beginning or by the fields of its line. */
interface PasswordShape {
  readonly rule: RuleId;
  readonly starts: readonly string[];
  /** The whole entry, with its beginning. */
  readonly pattern: string;
  readonly accepts?: (secret: string) => boolean;
  /** An invented example, in two parts. */
  readonly example: readonly [string, string];
}

/** Separates the parts of a hash. Compose files double it. */
const D = '[$]{1,2}';
/** The alphabet of crypt(3). */
const C = '[./A-Za-z0-9]';
const C_END = '(?![A-Za-z0-9/])';
const HASH = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789./aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789./aBcDeFgHiJkL';

const hash = (starts: readonly string[], pattern: string, example: readonly [string, string]): PasswordShape => ({
  rule: 'password-hash',
  starts,
  pattern,
  example,
});

/**
 * Before `port` in a line of `.pgpass`: a host at the start of a line or word. After it: a database and a user that are
 * not numbers.
 */
const PGPASS_HOST = '(?<=(?:^|[\\s"\'`]|\\\\n)(?!(?:arn|cpe|urn):)[\\w.*/-]{1,253})';
const DATABASE_AND_USER = '(?:(?!\\d+:)[\\w*.@+-]{1,63}:){2}';
const PASSWORD = '((?:[^\\s:"\'`\\\\]|\\\\[\\\\:]){3,200})(?=$|[\\s"\'`]|\\\\[nr])';
const PORTS = [':5432:', ':5433:', ':6432:'];

const pgpass = (
  starts: readonly string[],
  accepts: NonNullable<PasswordShape['accepts']>,
  example: string,
): PasswordShape => ({
  rule: 'password',
  starts,
  pattern: `${PGPASS_HOST}(?:${starts.join('|').replaceAll('*', '\\*')})${DATABASE_AND_USER}${PASSWORD}`,
  accepts,
  example: [`db.example${starts[0]}shop:`, example],
});

/**
 * Hashes of htpasswd, `/etc/shadow`, LDAP and web frameworks, which reveal short passwords to guessing; and lines of
 * `.pgpass`.
 */
const PASSWORD_SHAPES: readonly PasswordShape[] = [
  hash(['$apr1$', '$1$'], `\\$(?:apr)?1${D}${C}{1,8}${D}${C}{22}${C_END}`, ['$apr1$', `Ab1cD2eF$${HASH.slice(0, 22)}`]),
  hash(['$2a$', '$2b$', '$2x$', '$2y$'], `\\$2[abxy]${D}\\d\\d${D}${C}{53}${C_END}`, [
    '$2y$',
    `10$${HASH.slice(0, 53)}`,
  ]),
  hash(['$5$', '$6$'], `\\$[56]${D}(?:rounds=\\d{1,9}${D})?${C}{1,16}${D}(?:${C}{86}|${C}{43})${C_END}`, [
    '$6$',
    `Ab1cD2eF$${HASH.slice(0, 86)}`,
  ]),
  hash(['$y$', '$gy$', '$7$'], `\\$(?:g?y|7)${D}(?:${C}{1,20}${D})?${C}{1,97}${D}${C}{43}${C_END}`, [
    '$y$',
    `j9T$Ab1cD2eF$${HASH.slice(0, 43)}`,
  ]),
  hash(
    ['$argon2', '$scrypt$'],
    `\\$(?:argon2i?d?|scrypt)(?:${D}v=\\d{1,4})?${D}[a-z0-9=,]{5,60}${D}[\\w+/=-]{8,200}${D}[\\w+/=-]{16,400}`,
    ['$argon2', `id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$${HASH.slice(0, 36)}`],
  ),
  hash(['$pbkdf2'], `\\$pbkdf2(?:-sha\\d{1,3})?${D}\\d{1,9}${D}[./\\w]{4,200}${D}[./\\w]{16,200}`, [
    '$pbkdf2',
    `-sha256$29000$Ab1cD2eF$${HASH.slice(0, 43)}`,
  ]),
  hash(['pbkdf2_sha'], `pbkdf2_sha\\d{1,3}\\$\\d{1,9}\\$[\\w./+-]{1,100}\\$[A-Za-z0-9+/]{20,128}={0,2}`, [
    'pbkdf2_sha',
    `256$600000$Ab1cD2eF$${HEX.slice(0, 43)}=`,
  ]),
  hash(
    ['scrypt:', 'pbkdf2:sha'],
    '(?:scrypt:\\d{1,9}:\\d{1,4}:\\d{1,4}|pbkdf2:sha\\d{1,3}:\\d{1,9})\\$[A-Za-z0-9]{4,64}\\$[0-9a-f]{40,256}',
    ['scrypt:', `32768:8:1$Ab1cD2eF$${HEX}`],
  ),
  hash(
    ['SCRAM-SHA-'],
    'SCRAM-SHA-\\d{1,3}\\$\\d{1,9}:[A-Za-z0-9+/=]{8,200}\\$[A-Za-z0-9+/=]{20,100}:[A-Za-z0-9+/=]{20,100}',
    ['SCRAM-SHA-', `256$4096:Ab1cD2eF$${HEX.slice(0, 43)}=:${HEX.slice(0, 43)}=`],
  ),
  hash(
    ['{SHA', '{MD5}'],
    '\\{(?:SHA\\}[A-Za-z0-9+/]{27}=|SHA256\\}[A-Za-z0-9+/]{43}=|SHA512\\}[A-Za-z0-9+/]{86}==|MD5\\}[A-Za-z0-9+/]{22}==)',
    ['{SHA', '}W6ph5Mm5Pz8GgiULbPgzG37mj9g='],
  ),
  hash(['{SSHA', '{SMD5}'], '\\{S(?:SHA(?:256|384|512)?|MD5)\\}[A-Za-z0-9+/]{28,180}={0,2}', [
    '{SSHA',
    '}W6ph5Mm5Pz8GgiULbPgzG37mj9gAb1cD2eF',
  ]),
  pgpass(PORTS, (secret) => canBeValue(secret), 'app:hunter2-77'),
  pgpass([':*:'], isTyped, 'app:hunter2-77'),
];

const A = 'A'.repeat(60);

const shape = (
  rule: RuleId,
  starts: readonly string[],
  rest: string,
  example: readonly [string, string],
  more: Pick<Shape, 'accepts' | 'isPair'> = {},
  begin = `(?:${starts.map(quoted).join('|')})`,
): Shape => ({ rule, starts, pattern: new RegExp(begin + rest, 'dy'), example, ...more });

function quoted(text: string): string {
  return text.replace(/[.\\/]/g, '\\$&');
}

const USER = `[^\\s/?#"'<>\\\\@:,]{0,200}`;
const HOST = '(?=(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::\\d{1,5})?(?![A-Za-z0-9._:@%[-]))';
/** Schemes of databases, queues and mail. */
const OF_DATA =
  '(?<=(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|s?ftps?|smtps?|imaps?|ldaps?|nats|kafka|neo4j|bolt)(?:\\+\\w{1,20})?:\\\\?/\\\\?/)';

/**
 * Returns a shape for the part of a URL before the @. `host` has to follow that part, and `scheme` has to precede it.
 */
const userinfo = (who: string, example: readonly [string, string], host = '', scheme = ''): Shape =>
  shape('userinfo', ['://', ':\\/\\/'], `${scheme}(${who})@${host}`, example, { isPair: true });

/** All shapes. Where two start alike, the first match wins. */
export const SHAPES: readonly Shape[] = [
  ...PASSWORD_SHAPES.map(({ rule, starts, pattern, example, accepts }) =>
    shape(rule, starts, pattern, example, accepts && { accepts }, ''),
  ),
  shape(
    'private-key',
    ['-----BEGIN '],
    '(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,16384}(?:-----END [A-Z0-9 ]{0,60}-----)?',
    ['-----BEGIN RSA ', `PRIVATE KEY-----\n${A}\n-----END RSA PRIVATE KEY-----`],
  ),
  shape(
    'authorization',
    ['Bearer ', 'bearer ', 'BEARER ', 'Bearer\t'],
    '[ \\t]{0,8}([A-Za-z0-9._~+/-]{8,16384}={0,2})',
    ['Bearer ', 'abc123.def456'],
    {
      accepts: (token) => isDistinctive(token) || (token.length >= 12 && !isWords(token)),
    },
  ),
  shape(
    'authorization',
    ['Basic ', 'basic ', 'BASIC '],
    ' {0,8}([A-Za-z0-9+/]{4,16384}={0,2})',
    ['Basic ', 'dXNlcjpwYXNzd29yZA=='],
    {
      accepts: isBasic,
      isPair: true,
    },
  ),
  userinfo(`${USER}:[^\\s/?#"'<>\\\\]{1,500}`, ['https://', 'user:hunter2@host:8080/x'], HOST),
  // A password that is not encoded, as people write it in settings. Only the host shows where it ends.
  userinfo(`${USER}:(?!\\d{1,5}[/?#])[^\\s"'<>\\\\]{1,500}?`, ['postgres://', 'app:pa/ss9x#@db'], HOST, OF_DATA),
  userinfo(`${USER}:[^\\s/?#"'<>\\\\]{1,500}`, ['https://', 'user:hunter2@%s']),
  // JDBC of Oracle.
  shape('userinfo', [':thin:'], `([^\\s/@"'\\\\]{1,60}/[^\\s/@"'\\\\]{3,200})@`, [':thin:', 'scott/t1gers@//db']),
  // curl options.
  shape(
    'userinfo',
    [' -u ', ' --user ', ' --proxy-user '],
    `\\\\{0,3}["']?([^\\s"'\\\\:]{1,100}:[^\\s"'\\\\]{4,300})`,
    [' -u ', 'bob:hunter2!'],
    { accepts: (pair) => isPair(pair), isPair: true },
  ),
  shape(
    'password',
    ['mysql ', 'mysqldump ', 'mysqladmin '],
    `[^\\n"']{0,100}?(?<=\\s)-p([^\\s"'\\\\]{4,200})`,
    ['mysql ', '-u root -pa1b2c3d4'],
    {
      accepts: isTyped,
    },
  ),
  shape('password', ['redis-cli '], `[^\\n"']{0,100}?(?<=\\s)-a ([^\\s"'\\\\]{4,200})`, ['redis-cli ', '-a a1b2c3d4']),
  shape('password', ['IDENTIFIED BY ', 'identified by '], `(?:PASSWORD )?\\\\{0,3}["']([^"'\\s\\\\]{4,200})`, [
    'IDENTIFIED BY ',
    "'a1b2c3d4'",
  ]),
  shape(
    'password',
    [' -p '],
    `(?<=(?:login|user|principal|sshpass| -u )[^\\n]{0,100})\\\\{0,3}["']?([^\\s"'\\\\-][^\\s"'\\\\]{5,200})`,
    ['login -u bob -p ', 'a1b2c3d4e5'],
    {
      accepts: isTyped,
    },
  ),
  shape(
    'password',
    [' -w '],
    `(?<=ldap[^\\n]{0,100})([^\\s"'\\\\-][^\\s"'\\\\]{5,200})`,
    ['ldapsearch -w ', 'a1b2c3d4e5'],
    {
      accepts: (text) => !isWords(text),
    },
  ),
  shape('password', [' -P '], `([^\\s"'\\\\-][^\\s"'\\\\]{5,200})`, [' -P ', 'a1b2c3d4e5'], {
    accepts: isTyped,
  }),
  shape('password', [' -U '], `[\\w.\\\\-]{1,64}%([^\\s"'\\\\]{4,200})`, [' -U ', 'ann%a1b2c3d4']),
  shape('password', ['ConvertTo-SecureString '], `(?:-String )?\\\\{0,3}["']([^"'\\s\\\\]{4,200})`, [
    'ConvertTo-SecureString ',
    '"a1b2c3d4"',
  ]),
  shape('password', [' pass:'], `([^\\s"'\\\\]{4,200})`, [' pass:', 'a1b2c3d4']),
  // A data source of Go.
  shape(
    'password',
    ['@tcp(', '@unix('],
    `(?<=(?:^|[\\s"'=])[\\w.-]{1,64}:([^\\s@"'/]{1,200}))@(?:tcp|unix)\\(`,
    ['x=app:a1b2c3d4', '@tcp(db)'],
    {},
    '',
  ),
  shape('private-key', ['Private-Lines: '], '\\d{1,3}\\r?\\n((?:[A-Za-z0-9+/=]{1,64}\\r?\\n){1,250})', [
    'Private-Lines: ',
    `1\n${MIXED.slice(0, 64)}\n`,
  ]),
  // The private part of a JSON Web Key.
  shape('private-key', ['"d"', '"d\\"'], `\\s{0,4}:\\s{0,4}\\\\{0,7}"([\\w-]{40,2048})`, [
    '"d"',
    `: "${MIXED.slice(0, 43)}"`,
  ]),
  shape('credential', ['_auth='], `["']?([A-Za-z0-9+/]{8,4096}={0,2})`, ['_auth=', 'dXNlcjpwYXNzd29yZA==']),
  shape('userinfo', ['://', ':\\/\\/'], '([^\\s/?#"\'<>\\\\@:,]{8,200})@', ['https://', 'abc123def456@host'], {
    accepts: isDistinctive,
  }),
];
