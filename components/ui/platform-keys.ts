/** What of a browser's `navigator` tells the platform. */
interface PlatformNames {
  readonly platform?: string;
  readonly userAgentData?: { readonly platform?: string };
}

/** True where the command key is ⌘. */
export function isApple({ userAgentData, platform }: PlatformNames): boolean {
  return /^(?:mac|iphone|ipad|ios)/i.test(userAgentData?.platform || platform || '');
}

/** `mod+k`, `⌘K` or `Escape` as it is printed on this machine's keyboard: `⌘K` or `Ctrl+K`, `Esc`. */
export function keyLabel(key: string, names: PlatformNames = navigator): string {
  const glyphs = key
    .replace(/^mod\+(.)/i, (_all, first: string) => `⌘${first.toUpperCase()}`)
    .replace(/(?<=^|⌘)Enter$/i, '↵')
    .replace(/^Escape$/, 'Esc');
  return isApple(names) ? glyphs : glyphs.replaceAll('⌘', 'Ctrl+');
}
