import { byteText, percentDecoded } from './byte-text';
import type { RuleId } from './rules';
import { canBeValue, isDistinctive, isWords } from './values';

/**
 * A kind of secret that is recognised by its look. It starts with one of `starts` (or has it `back` characters after
 * its start). The sticky `pattern` is tried only there, and not inside a word. Every repetition is bounded, and those
 * with large bounds cannot restart inside what they matched, so scanning is linear.
 */
export interface Shape {
  readonly rule: RuleId;
  readonly starts: readonly string[];
  readonly pattern: RegExp;
  /** How many characters before the literal the secret starts. */
  readonly back?: number;
  /** Returns whether the match (its first group, if any) is a secret. */
  readonly accepts?: (secret: string) => boolean;
  /** Returns the password inside it; undefined if there is none. */
  readonly holdsPassword?: (secret: string) => string | undefined;
  /** An invented example, in two parts, so that secret scanners do not report this file. */
  readonly example: readonly [string, string];
}

/** A key that is known by its beginning. */
interface VendorShape {
  readonly rule: RuleId;
  readonly starts: readonly string[];
  /** The pattern after the beginning, bounded. */
  readonly rest: string;
  /** An invented example, after the first of `starts`. */
  readonly example: string;
}

const MIXED = 'aBcDeFgHiJ1kLmNoPqRs2tUvWxYz3AbCdEfGh4IjKlMnOpQ5rStUvWxYz6aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789';
const HEX = '0123456789abcdef'.repeat(4);

const vendor = (starts: readonly string[], rest: string, example: string, rule: RuleId = 'api-key'): VendorShape => ({
  ...{ rule, starts, rest, example },
});
const mixed = (start: string, least: number, most = 250): VendorShape =>
  vendor([start], `[\\w-]{${least},${most}}`, MIXED.slice(0, least));
const hex = (start: string, digits: number): VendorShape =>
  vendor([start], `[0-9a-f]{${digits}}(?![\\w-])`, HEX.slice(0, digits));

/** API keys of common services, as the services describe them. */
const VENDOR_SHAPES: readonly VendorShape[] = [
  mixed('sk-lf-', 20),
  mixed('sess-', 40),
  mixed('gsk_', 40),
  mixed('xai-', 60),
  mixed('pplx-', 40),
  mixed('r8_', 30, 60),
  mixed('tvly-', 20),
  hex('fc-', 32),
  vendor(['lsv2_pt_', 'lsv2_sk_'], '[0-9a-f]{32}_[0-9a-f]{10}', `${HEX.slice(0, 32)}_0123456789`),
  vendor(['ABSK'], '[A-Za-z0-9+/]{80,300}={0,2}', MIXED.slice(0, 90)),
  vendor(['hvs.', 'hvb.', 'hvr.'], '[\\w-]{20,300}', MIXED.slice(0, 90)),
  vendor(['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.'], '[\\w.-]{40,80}', MIXED.slice(0, 40)),
  vendor(['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[0-9a-fA-F]{32}', HEX.slice(0, 32)),
  mixed('ATATT3', 60, 400),
  mixed('ATCTT3', 60, 400),
  vendor(['dapi'], '[0-9a-f]{32}(?:-\\d)?(?![\\w-])', HEX.slice(0, 32)),
  vendor(['sbp_'], '[0-9a-f]{40}', HEX.slice(0, 40)),
  mixed('sb_secret_', 20),
  vendor(['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[\\w.=-]{32,64}', MIXED.slice(0, 43)),
  mixed('figd_', 36),
  vendor(['NRAK-'], '[A-Z0-9]{27}', 'ABCDEFGHIJ0123456789ABCDEFG'),
  vendor(['glsa_'], '[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}', `${MIXED.slice(0, 32)}_0123abcd`),
  mixed('glc_', 40, 400),
  hex('key-', 32),
  mixed('sq0atp-', 22, 60),
  mixed('sq0csp-', 40, 60),
  vendor(['sk.eyJ'], '[\\w-]{8,400}\\.[\\w-]{20,60}', `1IjoiYWJjIn0.${MIXED.slice(0, 22)}`),
  vendor(['sntrys_', 'sntryu_'], '[\\w+/=-]{40,400}', MIXED.slice(0, 64)),
  vendor(['re_'], '[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,40}', 'aBcD1234_aBcDeFgH1234aBcDeFgH1234'),
  mixed('HRKU-', 36, 70),
  mixed('dckr_pat_', 24, 60),
  mixed('dckr_oat_', 24, 60),
  hex('rubygems_', 48),
  vendor(['fm1_', 'fm1r_', 'fm2_', 'fm1a_'], '[A-Za-z0-9+/_=-]{60,4096}', MIXED.slice(0, 80)),
  mixed('atlasv1.', 60, 100),
  mixed('PMAT-', 26),
  mixed('xkeysib-', 60, 100),
  mixed('phx_', 40, 60),
  mixed('nfp_', 36, 60),
  mixed('vercel_', 24, 60),
  mixed('napi_', 60, 80),
  mixed('e2b_', 36, 60),
  mixed('secret_', 43, 43),
  vendor(
    ['AGE-SECRET-KEY-1'],
    '[A-Z0-9]{58}',
    'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE',
    'private-key',
  ),
  vendor(
    ['Private-Lines: '],
    '\\d{1,3}\\r?\\n(?:[A-Za-z0-9+/=]{1,64}\\r?\\n){1,250}',
    `1\n${MIXED.slice(0, 64)}\n`,
    'private-key',
  ),
  vendor(
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    '\\d{15,22}/[\\w-]{40,100}',
    `123456789012345678/${MIXED.slice(0, 68)}`,
  ),
  vendor(['api.telegram.org/bot'], '\\d{6,12}:[\\w-]{30,50}', `123456789:${MIXED.slice(0, 35)}`),
  vendor(['sshpass -p '], '["\']?[^\\s"\']{4,200}', 'a1b2c3d4', 'password'),
];

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
  ...{ rule: 'password-hash', starts, pattern, example },
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
  pgpass([':*:'], hasDigitAndLetter, 'app:hunter2-77'),
];

const END = '(?![A-Za-z0-9_-])';
const A = 'A'.repeat(60);

const shape = (
  rule: RuleId,
  starts: readonly string[],
  rest: string,
  example: readonly [string, string],
  more: Pick<Shape, 'back' | 'accepts' | 'holdsPassword'> = {},
): Shape => {
  const begin = more.back === undefined ? `(?:${starts.map(quoted).join('|')})` : '';
  return { rule, starts, pattern: new RegExp(begin + rest, 'dy'), example, ...more };
};

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
  shape('userinfo', ['://', ':\\/\\/'], `${scheme}(${who})@${host}`, example, { holdsPassword: passwordOfPair });

/** All shapes. Where two start alike, the first match wins. */
export const SHAPES: readonly Shape[] = [
  shape('jwt', ['eyJ'], '[\\w-]{8,16384}\\.eyJ[\\w-]{4,16384}(?:\\.[\\w-]{0,16384})?', [
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx',
    'MjM0NTY3ODkwIn0.c2lnbmF0dXJl',
  ]),
  // Encrypted tokens have five parts, and the second may be empty.
  shape('jwt', ['eyJ'], '[\\w-]{8,2048}\\.[\\w-]{0,2048}\\.[\\w-]{8,2048}\\.[\\w-]{8,16384}\\.[\\w-]{8,2048}', [
    'eyJhbGciOiJkaXIifQ..aXZpdml2aXY.',
    'Y2lwaGVydGV4dA.dGFndGFndGFn',
  ]),
  shape('aws', ['AKIA', 'ASIA'], `[A-Z0-9]{16}${END}`, ['AKIA', 'IOSFODNN7EXAMPLX']),
  shape('github', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], `[A-Za-z0-9]{36,251}`, ['ghp_', `${A.slice(0, 30)}012345`]),
  shape('github', ['github_pat_'], '[A-Za-z0-9_]{22,244}', ['github_pat_', `11${A.slice(0, 20)}_${A}`]),
  shape(
    'gitlab',
    ['glpat-', 'glrt-', 'gldt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glagent-', 'gloas-'],
    '[\\w.-]{20,300}',
    ['glpat-', 'aBcDeFgHiJkLmNoPqRs1'],
  ),
  shape('slack', ['xoxa-', 'xoxb-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'], '[A-Za-z0-9.-]{10,300}', [
    'xoxb-',
    '123456789012-123456789012-aBcDeFgHiJkLmNoPqRsTuVwX',
  ]),
  shape('slack', ['xapp-'], '[A-Za-z0-9-]{10,300}', ['xapp-', '1-A0123456789-0123456789-abcdef0123456789']),
  shape(
    'slack',
    ['hooks.slack.com/', 'hooks.slack.com\\/'],
    '(?:services|workflows|triggers)\\\\?/[\\w/\\\\-]{20,200}',
    ['hooks.slack.com/', 'services/T00000000/B00000000/aBcDeFgHiJkLmNoPqRsTuVwX'],
  ),
  shape('anthropic', ['sk-'], 'ant-[\\w-]{20,300}', ['sk-ant-', `api03-${A}-9A`]),
  shape('openai', ['sk-'], '(?:proj|svcacct|admin|or-v1|lf)-[\\w-]{20,300}', ['sk-proj-', `${A}T3BlbkFJ1`]),
  shape('openai', ['sk-'], `[A-Za-z0-9]{20,100}${END}`, ['sk-', 'aBcDeFgHiJ1234567890T3BlbkFJaBcDeFgHiJ1234567890'], {
    accepts: hasDigit,
  }),
  shape('google', ['AIza'], `[\\w-]{35}${END}`, ['AIza', `SyA${A.slice(0, 20)}-123456_89ab`]),
  shape('google', ['ya29.'], '[\\w-]{20,2048}', ['ya29.', `a0${A}`]),
  shape('google', ['GOCSPX-'], '[\\w-]{20,60}', ['GOCSPX-', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ12']),
  shape('google', ['1//0'], '[\\w-]{40,200}', ['1//0', `e${A}`]),
  shape('stripe', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], '[A-Za-z0-9]{10,250}', [
    'sk_live_',
    '4eC39HqLyjWDarjtT1zdp7dc',
  ]),
  shape('stripe', ['whsec_'], '[A-Za-z0-9+/=]{20,100}', ['whsec_', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ123456']),
  shape('npm', ['npm_'], `[A-Za-z0-9]{36}${END}`, ['npm_', 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789']),
  shape('pypi', ['pypi-'], '[\\w-]{50,400}', ['pypi-', `AgEIcHlwaS5vcmc${A}`]),
  shape('hugging-face', ['hf_', 'api_org_'], `[A-Za-z]{34}${END}`, ['hf_', 'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH'], {
    accepts: hasBothCases,
  }),
  shape('azure', ['Q~'], `[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}`, ['abc8Q~', `${A.slice(0, 30)}1234`], {
    back: 4,
  }),
  shape('twilio', ['SK'], `[0-9a-f]{32}${END}`, ['SK', '0123456789abcdef0123456789abcdef']),
  shape('sendgrid', ['SG.'], '[\\w-]{16,32}\\.[\\w-]{16,64}', [
    'SG.',
    'aBcDeFgHiJkLmNoPqRsTuV.aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFg',
  ]),
  shape('digitalocean', ['doo_v1_', 'dop_v1_', 'dor_v1_'], `[0-9a-f]{64}${END}`, [
    'dop_v1_',
    '0123456789abcdef'.repeat(4),
  ]),
  shape('linear', ['lin_api_', 'lin_oauth_'], '[A-Za-z0-9]{30,80}', [
    'lin_api_',
    'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcd',
  ]),
  shape('notion', ['ntn_'], '[A-Za-z0-9]{40,60}', ['ntn_', '123456789012aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567']),
  ...VENDOR_SHAPES.map(({ rule, starts, rest, example }) => shape(rule, starts, rest, [starts[0]!, example])),
  ...PASSWORD_SHAPES.map(({ rule, starts, pattern, example, accepts }) =>
    shape(rule, starts, pattern, example, { back: 0, ...(accepts && { accepts }) }),
  ),
  shape('postman', ['PMAK-'], '[0-9a-f]{24}-[0-9a-f]{34}', [
    'PMAK-',
    `${'0123456789abcdef01234567'}-${'0123456789abcdef0123456789abcdef01'}`,
  ]),
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
      holdsPassword: basicPassword,
    },
  ),
  userinfo(`${USER}:[^\\s/?#"'<>\\\\]{1,500}`, ['https://', 'user:hunter2@host:8080/x'], HOST),
  // A password that is not encoded, as people write it in settings. Only the host shows where it ends.
  userinfo(`${USER}:(?!\\d{1,5}[/?#])[^\\s"'<>\\\\]{1,500}?`, ['postgres://', 'app:pa/ss9x#@db'], HOST, OF_DATA),
  userinfo(`${USER}:[^\\s/?#"'<>\\\\]{1,500}`, ['https://', 'user:hunter2@%s']),
  // curl options.
  shape(
    'userinfo',
    [' -u ', ' --user ', ' --proxy-user '],
    `\\\\{0,3}["']?([^\\s"'\\\\:]{1,100}:[^\\s"'\\\\]{4,300})`,
    [' -u ', 'bob:hunter2!'],
    { accepts: (pair) => isPair(pair), holdsPassword: passwordOfPair },
  ),
  shape(
    'password',
    ['mysql ', 'mysqldump ', 'mysqladmin '],
    `[^\\n"']{0,100}?(?<=\\s)-p([^\\s"'\\\\]{4,200})`,
    ['mysql ', '-u root -pa1b2c3d4'],
    {
      accepts: hasDigitAndLetter,
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
      accepts: hasDigitAndLetter,
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
  shape('password', [' -U '], `[\\w.\\\\-]{1,64}%([^\\s"'\\\\]{4,200})`, [' -U ', 'ann%a1b2c3d4']),
  shape('password', [' pass:'], `([^\\s"'\\\\]{4,200})`, [' pass:', 'a1b2c3d4']),
  // A data source of Go.
  shape(
    'password',
    ['@tcp(', '@unix('],
    `(?<=(?:^|[\\s"'=])[\\w.-]{1,64}:([^\\s@"'/]{1,200}))@(?:tcp|unix)\\(`,
    ['x=app:a1b2c3d4', '@tcp(db)'],
    {
      back: 0,
    },
  ),
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

/** Returns the password of `user:password`, with percent-encoding decoded. */
function passwordOfPair(pair: string): string {
  return percentDecoded(pair.slice(pair.indexOf(':') + 1));
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

function hasDigitAndLetter(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text) && !/[:/]/.test(text);
}

function hasBothCases(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** Returns true for `user:password` in base64 (RFC 7617) with printable characters. */
function isBasic(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(text)) return false;
  try {
    return /^[ -9;-~\u0080-\u00ff]*:[ -~\u0080-\u00ff]+$/.test(atob(text.replace(/=+$/, '')));
  } catch {
    return false;
  }
}

/** Returns the password of a Basic credential; undefined for any other text. Byte text in and out. */
export function basicPassword(text: string): string | undefined {
  if (!isBasic(text)) return undefined;
  const decoded = atob(text.replace(/=+$/, ''));
  return byteText(Uint8Array.from(decoded.slice(decoded.indexOf(':') + 1), (character) => character.charCodeAt(0)));
}

/** Returns true for `user:password`, plain or in base64. */
export function isPair(value: string): boolean {
  const [, password] = /^[^\s:/]{1,100}:(?!\/\/)(\S{4,})$/.exec(value) ?? [];
  return password === undefined ? isBasic(value) : isDistinctive(password) || hasDigitAndLetter(password);
}
