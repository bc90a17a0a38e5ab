import type { RuleId } from './rules';
import { isBasic, isTyped, isUserAndPassword, type SecretShape } from './shapes';
import { canBeValue, isDistinctive, isWords } from './values';

const quoted = (text: string) => text.replace(/[.\\/]/g, '\\$&');

/** `pattern` follows one of `starts`, or, if `isWhole`, begins with it. */
const shape = (
  rule: RuleId,
  starts: readonly string[],
  pattern: string,
  more: Pick<SecretShape, 'accepts' | 'isPair'> = {},
  isWhole = false,
): SecretShape => ({
  rule,
  starts,
  pattern: new RegExp(isWhole ? pattern : `(?:${starts.map(quoted).join('|')})${pattern}`, 'dy'),
  ...more,
});

/** Separates the parts of a hash. Compose files double it. */
const D = '[$]{1,2}';
/** The alphabet of crypt(3). */
const C = '[./A-Za-z0-9]';
const C_END = '(?![A-Za-z0-9/])';

/** A password's hash in htpasswd, `/etc/shadow`, LDAP or a web framework: it reveals a short password to guessing. */
const hash = (starts: readonly string[], pattern: string) => shape('password-hash', starts, pattern, {}, true);

/**
 * Before `port` in a line of `.pgpass`: a host at the start of a line or word. After it: a database and a user that are
 * not numbers.
 */
const PGPASS_HOST = '(?<=(?:^|[\\s"\'`]|\\\\n)(?!(?:arn|cpe|urn):)[\\w.*/-]{1,253})';
const DATABASE_AND_USER = '(?:(?!\\d+:)[\\w*.@+-]{1,63}:){2}';
const PASSWORD = '((?:[^\\s:"\'`\\\\]|\\\\[\\\\:]){3,200})(?=$|[\\s"\'`]|\\\\[nr])';

/** A line of `.pgpass`. */
const pgpass = (ports: readonly string[], accepts: NonNullable<SecretShape['accepts']>) =>
  shape(
    'password',
    ports,
    `${PGPASS_HOST}(?:${ports.join('|').replaceAll('*', '\\*')})${DATABASE_AND_USER}${PASSWORD}`,
    { accepts },
    true,
  );

const USER = `[^\\s/?#"'<>\\\\@:,]{0,200}`;
const HOST = '(?=(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::\\d{1,5})?(?![A-Za-z0-9._:@%[-]))';
/** Schemes of databases, queues and mail. */
const OF_DATA =
  '(?<=(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|s?ftps?|smtps?|imaps?|ldaps?|nats|kafka|neo4j|bolt)(?:\\+\\w{1,20})?:\\\\?/\\\\?/)';
const AFTER_SCHEME = ['://', ':\\/\\/'];

/** A word of a command line, and one that is not an option. */
const WORD = `([^\\s"'\\\\]{4,200})`;
const ARGUMENT = `([^\\s"'\\\\-][^\\s"'\\\\]{5,200})`;
/** First parameters of a challenge (RFC 6750, RFC 9728), which stand where a token does. */
const CHALLENGE_PARAMETER = /^(?:resource_metadata|error_description|error_uri)=?$/;
const QUOTED = `\\\\{0,3}["']([^"'\\s\\\\]{4,200})`;

/** All shapes. Where two start alike, the first match wins. `test-shape-examples.ts` has an example of each. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  hash(['$apr1$', '$1$'], `\\$(?:apr)?1${D}${C}{1,8}${D}${C}{22}${C_END}`),
  hash(['$2a$', '$2b$', '$2x$', '$2y$'], `\\$2[abxy]${D}\\d\\d${D}${C}{53}${C_END}`),
  hash(['$5$', '$6$'], `\\$[56]${D}(?:rounds=\\d{1,9}${D})?${C}{1,16}${D}(?:${C}{86}|${C}{43})${C_END}`),
  hash(['$y$', '$gy$', '$7$'], `\\$(?:g?y|7)${D}(?:${C}{1,20}${D})?${C}{1,97}${D}${C}{43}${C_END}`),
  hash(
    ['$argon2', '$scrypt$'],
    `\\$(?:argon2i?d?|scrypt)(?:${D}v=\\d{1,4})?${D}[a-z0-9=,]{5,60}${D}[\\w+/=-]{8,200}${D}[\\w+/=-]{16,400}`,
  ),
  hash(['$pbkdf2'], `\\$pbkdf2(?:-sha\\d{1,3})?${D}\\d{1,9}${D}[./\\w]{4,200}${D}[./\\w]{16,200}`),
  hash(['pbkdf2_sha'], `pbkdf2_sha\\d{1,3}\\$\\d{1,9}\\$[\\w./+-]{1,100}\\$[A-Za-z0-9+/]{20,128}={0,2}`),
  hash(
    ['scrypt:', 'pbkdf2:sha'],
    '(?:scrypt:\\d{1,9}:\\d{1,4}:\\d{1,4}|pbkdf2:sha\\d{1,3}:\\d{1,9})\\$[A-Za-z0-9]{4,64}\\$[0-9a-f]{40,256}',
  ),
  hash(
    ['SCRAM-SHA-'],
    'SCRAM-SHA-\\d{1,3}\\$\\d{1,9}:[A-Za-z0-9+/=]{8,200}\\$[A-Za-z0-9+/=]{20,100}:[A-Za-z0-9+/=]{20,100}',
  ),
  hash(
    ['{SHA', '{MD5}'],
    '\\{(?:SHA\\}[A-Za-z0-9+/]{27}=|SHA256\\}[A-Za-z0-9+/]{43}=|SHA512\\}[A-Za-z0-9+/]{86}==|MD5\\}[A-Za-z0-9+/]{22}==)',
  ),
  hash(['{SSHA', '{SMD5}'], '\\{S(?:SHA(?:256|384|512)?|MD5)\\}[A-Za-z0-9+/]{28,180}={0,2}'),
  pgpass([':5432:', ':5433:', ':6432:'], canBeValue),
  pgpass([':*:'], isTyped),
  shape(
    'private-key',
    ['-----BEGIN '],
    '(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,16384}(?:-----END [A-Z0-9 ]{0,60}-----)?',
  ),
  shape(
    'authorization',
    ['Bearer ', 'bearer ', 'BEARER ', 'Bearer\t'],
    '[ \\t]{0,8}([A-Za-z0-9._~+/-]{8,16384}={0,2})',
    {
      accepts: (token) =>
        !CHALLENGE_PARAMETER.test(token) && (isDistinctive(token) || (token.length >= 12 && !isWords(token))),
    },
  ),
  shape('authorization', ['Basic ', 'basic ', 'BASIC '], ' {0,8}([A-Za-z0-9+/]{4,16384}={0,2})', {
    accepts: isBasic,
    isPair: true,
  }),
  // A password that is not encoded, as people write it in settings. Only the host shows where it ends.
  shape('userinfo', AFTER_SCHEME, `${OF_DATA}(${USER}:(?!\\d{1,5}[/?#])[^\\s"'<>\\\\]{1,500}?)@${HOST}`, {
    isPair: true,
  }),
  shape('userinfo', AFTER_SCHEME, `(${USER}:[^\\s/?#"'<>\\\\]{1,500})@`, { isPair: true }),
  // JDBC of Oracle.
  shape('userinfo', [':thin:'], `([^\\s/@"'\\\\]{1,60}/[^\\s/@"'\\\\]{3,200})@`),
  // curl options.
  shape(
    'userinfo',
    [' -u ', ' --user ', ' --proxy-user '],
    `\\\\{0,3}["']?([^\\s"'\\\\:]{1,100}:[^\\s"'\\\\]{4,300})`,
    {
      accepts: isUserAndPassword,
      isPair: true,
    },
  ),
  shape('password', ['mysql ', 'mysqldump ', 'mysqladmin '], `[^\\n"']{0,100}?(?<=\\s)-p${WORD}`, { accepts: isTyped }),
  shape('password', ['redis-cli '], `[^\\n"']{0,100}?(?<=\\s)-a ${WORD}`),
  shape('password', ['IDENTIFIED BY ', 'identified by '], `(?:PASSWORD )?${QUOTED}`),
  shape('password', [' -p '], `(?<=(?:login|user|principal|sshpass| -u )[^\\n]{0,100})\\\\{0,3}["']?${ARGUMENT}`, {
    accepts: isTyped,
  }),
  shape('password', [' -w '], `(?<=ldap[^\\n]{0,100})${ARGUMENT}`, { accepts: (text) => !isWords(text) }),
  shape('password', [' -P '], ARGUMENT, { accepts: isTyped }),
  shape('password', [' -U '], `[\\w.\\\\-]{1,64}%${WORD}`),
  shape('password', ['ConvertTo-SecureString '], `(?:-String )?${QUOTED}`),
  shape('password', [' pass:'], WORD),
  // A data source of Go.
  shape(
    'password',
    ['@tcp(', '@unix('],
    `(?<=(?:^|[\\s"'=])[\\w.-]{1,64}:([^\\s@"'/]{1,200}))@(?:tcp|unix)\\(`,
    {},
    true,
  ),
  shape('private-key', ['Private-Lines: '], '\\d{1,3}\\r?\\n((?:[A-Za-z0-9+/=]{1,64}\\r?\\n){1,250})'),
  // The private part of a JSON Web Key.
  shape('private-key', ['"d"', '"d\\"'], `\\s{0,4}:\\s{0,4}\\\\{0,7}"([\\w-]{40,2048})`),
  shape('credential', ['_auth='], `["']?([A-Za-z0-9+/]{8,4096}={0,2})`),
  shape('userinfo', AFTER_SCHEME, '([^\\s/?#"\'<>\\\\@:,]{8,200})@', { accepts: isDistinctive }),
];
