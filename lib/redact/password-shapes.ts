import type { RuleId } from './rules';
import { isTelling, isValue } from './value-words';

/** What stands in files of passwords: by its own beginning, or by the fields of its line. */
interface PasswordShape {
  readonly rule: RuleId;
  readonly starts: readonly string[];
  /** All of it, the beginning too. */
  readonly pattern: string;
  readonly accepts?: (secret: string) => boolean;
  /** One that is nobody's, in two parts. */
  readonly example: readonly [string, string];
}

/** Between the parts of a hash; Compose files double it. */
const D = '[$]{1,2}';
/** The alphabet of crypt(3). */
const C = '[./A-Za-z0-9]';
const C_END = '(?![A-Za-z0-9/])';
const HASH = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789./aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789./aBcDeFgHiJkL';
const HEX = '0123456789abcdef'.repeat(4);

const hash = (starts: readonly string[], pattern: string, example: readonly [string, string]): PasswordShape => ({
  ...{ rule: 'password-hash', starts, pattern, example },
});

/** Before `port` in a line of `.pgpass`: a host that begins a line or a word; behind it a database and a user that are no numbers. */
const HOST = '(?<=(?:^|[\\s"\'`]|\\\\n)(?!(?:arn|cpe|urn):)[\\w.*/-]{1,253})';
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
  pattern: `${HOST}(?:${starts.join('|').replaceAll('*', '\\*')})${DATABASE_AND_USER}${PASSWORD}`,
  accepts,
  example: [`db.example${starts[0]}shop:`, example],
});

/** Hashes of htpasswd, `/etc/shadow`, LDAP and frameworks of the web, from which a short password is guessed; and lines of `.pgpass`. */
export const PASSWORD_SHAPES: readonly PasswordShape[] = [
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
  pgpass(PORTS, (secret) => isValue(secret), 'app:hunter2-77'),
  pgpass([':*:'], isTelling, 'app:hunter2-77'),
];
