const SCHEME = /(?:Bearer|Basic|Digest|Token|ApiKey|Negotiate|AWS4-HMAC-SHA256|DPoP)\s{1,4}/iy;

/** Characters of the scheme, `Bearer ` or the like, that stands before a credential; 0 without one. */
export function schemeLength(text: string, at: number): number {
  SCHEME.lastIndex = at;
  return SCHEME.exec(text)?.[0].length ?? 0;
}
