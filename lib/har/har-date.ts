/** The last moment that JavaScript can name, in Unix ms. */
const MOST_DATE = 8.64e15;

/** Unix ms, with a fraction, as ISO 8601 to the microsecond: within a millisecond a lot happens on one machine. */
export function harDate(ms: number): string {
  const us = Math.round(Math.min(ms, MOST_DATE) * 1000);
  const whole = Math.floor(us / 1000);
  const rest = String(us - whole * 1000).padStart(3, '0');
  return new Date(whole).toISOString().replace('Z', `${rest === '000' ? '' : rest}Z`);
}

/** Unix ms of what any archive says, with its digits beyond milliseconds; NaN for no date. */
export function readHarDate(text: string): number {
  const [, beyond = ''] = /\.\d{3}(\d{1,6})/.exec(text) ?? [];
  return Date.parse(text) + (beyond === '' ? 0 : Number(`0.${beyond}`));
}
