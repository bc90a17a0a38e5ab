import { createHash } from 'node:crypto';
import { call, err, type Planted, plant, result } from './test-plant';

const HEX = '0123456789abcdef';
const MIXED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LETTERS = MIXED.slice(0, 52);
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** So many characters that look random, always the same for the same name. */
function random(name: string, length: number, alphabet: string): string {
  const bytes = Buffer.concat([0, 1, 2, 3].map((part) => createHash('sha512').update(`${name}${part}`).digest()));
  return Array.from({ length }, (_, at) => alphabet[bytes[at % bytes.length]! % alphabet.length]).join('');
}

/** What keys of services look like, by what their makers say: beginning, then so many characters of an alphabet. */
const KEYS: readonly (readonly [beginning: string, length: number, alphabet?: string, end?: string])[] = [
  ['AKIA', 16, UPPER],
  ['ASIA', 16, UPPER],
  ['ghp_', 36],
  ['gho_', 36],
  ['ghs_', 36],
  ['github_pat_11ABCDEFG0', 12, MIXED, `_${'x1Y2'.repeat(15)}`],
  ['glpat-', 20],
  ['xoxb-123456789012-123456789012-', 24],
  ['xapp-1-A0123456789-0123456789-', 40, HEX],
  ['hooks.slack.com/services/T0123456/B0123456/', 24],
  ['sk-ant-api03-', 95],
  ['sk-proj-', 48],
  ['sk-', 48],
  ['AIza', 35],
  ['ya29.', 80],
  ['GOCSPX-', 28],
  ['sk_live_', 24],
  ['rk_live_', 24],
  ['whsec_', 32],
  ['npm_', 36],
  ['pypi-AgEIcHlwaS5vcmc', 90],
  ['hf_', 34, LETTERS],
  ['SK', 32, HEX],
  ['SG.', 22, MIXED, `.${'aB3d'.repeat(10)}eFg`],
  ['dop_v1_', 64, HEX],
  ['lin_api_', 40],
  ['ntn_', 46],
  ['PMAK-', 24, HEX, `-${'01ab'.repeat(8)}cd`],
  ['gsk_', 52],
  ['xai-', 80],
  ['pplx-', 48],
  ['r8_', 37],
  ['tvly-', 32],
  ['fc-', 32, HEX],
  ['lsv2_pt_', 32, HEX, '_a1b2c3d4e5'],
  ['hvs.', 90],
  ['dp.pt.', 43],
  ['shpat_', 32, HEX],
  ['ATATT3xFfGF0', 180],
  ['dapi', 32, HEX],
  ['sbp_', 40, HEX],
  ['pscale_tkn_', 43],
  ['figd_', 40],
  ['NRAK-', 27, UPPER],
  ['glsa_', 32, MIXED, '_a1b2c3d4'],
  ['key-', 32, HEX],
  ['sq0atp-', 22],
  ['sntrys_', 80],
  ['HRKU-', 36],
  ['dckr_pat_', 27],
  ['rubygems_', 48, HEX],
  ['discord.com/api/webhooks/123456789012345678/', 68],
  ['api.telegram.org/bot123456789:', 35],
  ['AGE-SECRET-KEY-1', 58, UPPER],
];

/** Known by how they look, whatever they are called: in results, in arguments, on stderr. */
export const TOKENS: readonly Planted[] = KEYS.map(([beginning, length, alphabet = MIXED, end = ''], index) =>
  plant(
    `a key that begins with ${beginning}`,
    (s) => [[result(`it is ${s}.`)], [call({ thing: s })], [err(`using ${s}, ok`)]][index % 3]!,
    `${beginning}${random(beginning, length, alphabet)}${end}`,
  ),
);
