import type { RuleId } from './rules';

/** A key that is known by its beginning. */
export interface VendorShape {
  readonly rule: RuleId;
  readonly starts: readonly string[];
  /** What comes behind: a pattern, bounded. */
  readonly rest: string;
  /** One that is nobody's, behind the first of `starts`. */
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

/** Keys of services that many servers are for, as their makers describe them. */
export const VENDOR_SHAPES: readonly VendorShape[] = [
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
