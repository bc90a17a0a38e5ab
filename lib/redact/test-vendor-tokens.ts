import { LiteralFinder } from './literal-finder';
import { VENDOR_STARTS, type VendorToken, vendorTokenAt } from './vendor-tokens';

const FINDER = new LiteralFinder(Array.from(VENDOR_STARTS, ([text, kinds]) => ({ text, kinds })));

/** Returns every token in byte text, in order and without overlaps. */
export function vendorTokensIn(text: string): VendorToken[] {
  const tokens: VendorToken[] = [];
  for (let from = 0; ; ) {
    const place = FINDER.nextInText(text, from);
    if (!place) return tokens;
    const { at, literals } = place;
    const kinds = literals.flatMap((literal) => literal.kinds);
    const token = vendorTokenAt(text, at, [{ kinds }], tokens.at(-1)?.to);
    if (token) tokens.push(token);
    from = Math.max(at + 1, token?.to ?? 0);
  }
}
