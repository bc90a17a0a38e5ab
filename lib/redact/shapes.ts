import { byteText, percentDecoded } from './byte-text';
import { PASSWORD_SHAPES } from './password-shapes';
import type { RuleId } from './rules';
import { isTelling } from './value-words';
import { VENDOR_SHAPES } from './vendor-shapes';

/**
 * A secret that is known by how it looks. Each one begins with one of `starts` (or has it, `back` characters from
 * its beginning); only where that stands, and no word goes on, is `pattern` tried. Patterns are sticky and every repetition is
 * bounded; those with large bounds can't begin again within what they went through, so all of it is linear in the text.
 */
export interface Shape {
  readonly rule: RuleId;
  readonly starts: readonly string[];
  readonly pattern: RegExp;
  /** How many characters before `start` the secret begins. */
  readonly back?: number;
  /** Whether what the pattern found, its first group if it has one, is a secret. */
  readonly accepts?: (secret: string) => boolean;
  /** The password in it; undefined for one that holds none. */
  readonly holdsPassword?: (secret: string) => string | undefined;
  /** One that is nobody's, in two parts, so that no scanner takes this file for a leak. */
  readonly example: readonly [string, string];
}

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
  return { rule, starts, pattern: new RegExp(begin + rest, 'y'), example, ...more };
};

function quoted(text: string): string {
  return text.replace(/[.\\/]/g, '\\$&');
}

const USER = `[^\\s/?#"'<>\\\\@:,]{0,200}`;
const HOST = '(?=(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::\\d{1,5})?(?![A-Za-z0-9._:@%[-]))';
/** Schemes of databases, queues and mail. */
const OF_DATA =
  '(?<=(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|s?ftps?|smtps?|imaps?|ldaps?|nats|kafka|neo4j|bolt)(?:\\+\\w{1,20})?:\\\\?/\\\\?/)';

/** What is before the @ of a URL. `host`: what has to be behind it; `scheme`: what before. */
const userinfo = (who: string, example: readonly [string, string], host = '', scheme = ''): Shape =>
  shape('userinfo', ['://', ':\\/\\/'], `${scheme}(${who})@${host}`, example, { holdsPassword: passwordOfPair });

/** Every shape. Where two begin alike, the first that fits wins. */
export const SHAPES: readonly Shape[] = [
  shape('jwt', ['eyJ'], '[\\w-]{8,16384}\\.eyJ[\\w-]{4,16384}(?:\\.[\\w-]{0,16384})?', [
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx',
    'MjM0NTY3ODkwIn0.c2lnbmF0dXJl',
  ]),
  // Encrypted ones have five parts, and a second one of any kind.
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
      accepts: isTelling,
    },
  ),
  shape(
    'authorization',
    ['Basic ', 'basic ', 'BASIC '],
    ' {0,8}([A-Za-z0-9+/]{8,16384}={0,2})',
    ['Basic ', 'dXNlcjpwYXNzd29yZA=='],
    {
      accepts: isBasic,
      holdsPassword: basicPassword,
    },
  ),
  userinfo(`${USER}:[^\\s/?#"'<>\\\\]{1,500}`, ['https://', 'user:hunter2@host:8080/x'], HOST),
  // As people write it into settings: not encoded, so that only the host says where it ends.
  userinfo(`${USER}:(?!\\d{1,5}[/?#])[^\\s"'<>\\\\]{1,500}?`, ['postgres://', 'app:pa/ss9x#@db'], HOST, OF_DATA),
  userinfo(`${USER}:[^\\s/?#"'<>\\\\]{1,500}`, ['https://', 'user:hunter2@%s']),
  // Of curl.
  shape(
    'userinfo',
    [' -u ', ' --user ', ' --proxy-user '],
    `\\\\{0,3}["']?([^\\s"'\\\\:]{1,100}:[^\\s"'\\\\]{4,300})`,
    [' -u ', 'bob:hunter2!'],
    { accepts: (pair) => isTelling(passwordOfPair(pair)), holdsPassword: passwordOfPair },
  ),
  shape(
    'password',
    ['mysql ', 'mysqldump ', 'mysqladmin '],
    `[^\\n"']{0,100}?(?<=\\s)-p([^\\s"'\\\\]{4,200})`,
    ['mysql ', '-u root -pa1b2c3d4'],
    {
      accepts: isTelling,
    },
  ),
  shape('password', ['redis-cli '], `[^\\n"']{0,100}?(?<=\\s)-a ([^\\s"'\\\\]{4,200})`, ['redis-cli ', '-a a1b2c3d4']),
  shape('password', ['IDENTIFIED BY ', 'identified by '], `(?:PASSWORD )?\\\\{0,3}["']([^"'\\s\\\\]{4,200})`, [
    'IDENTIFIED BY ',
    "'a1b2c3d4'",
  ]),
  shape('credential', ['_auth='], `["']?([A-Za-z0-9+/]{8,4096}={0,2})`, ['_auth=', 'dXNlcjpwYXNzd29yZA==']),
  shape('userinfo', ['://', ':\\/\\/'], '([^\\s/?#"\'<>\\\\@:,]{8,200})@', ['https://', 'abc123def456@host'], {
    accepts: isTelling,
  }),
];

/** Of `user:password`, percent-encoding read. */
function passwordOfPair(pair: string): string {
  return percentDecoded(pair.slice(pair.indexOf(':') + 1));
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

function hasBothCases(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** `user:password` in base64 (RFC 7617), both of characters that can be read. */
export function isBasic(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(text)) return false;
  try {
    return /^[ -9;-~\u0080-\u00ff]*:[ -~\u0080-\u00ff]+$/.test(atob(text.replace(/=+$/, '')));
  } catch {
    return false;
  }
}

/** The password of a Basic credential; undefined for what is none. Byte text in and out. */
export function basicPassword(text: string): string | undefined {
  if (!isBasic(text)) return undefined;
  const decoded = atob(text.replace(/=+$/, ''));
  return byteText(Uint8Array.from(decoded.slice(decoded.indexOf(':') + 1), (character) => character.charCodeAt(0)));
}
