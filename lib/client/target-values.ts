import { shownUrl } from '@/lib/hub/url-launch';
import type { UrlTarget } from '@/lib/wire/command';
import { isUrl } from '@/lib/wire/is-url';

/**
 * A target made from an earlier one, with that one's values: its headers, while the origin is the same, and what its URL shows
 * masked, while that is the URL. What the new one says itself counts; null takes a header away.
 */
export function withValues(target: UrlTarget, earlier: UrlTarget | undefined): UrlTarget {
  const same = earlier !== undefined && originOf(earlier.url) === originOf(target.url);
  const headers = new Map<string, readonly [string, string]>();
  for (const [name, value] of Object.entries({ ...(same && earlier.headers), ...target.headers })) {
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), [name, value]);
  }
  const url = same && shownUrl(earlier.url) === target.url ? earlier.url : target.url;
  const inputs = [...((same && earlier.inputs) || []), ...(target.inputs ?? [])];
  return { ...target, ...(inputs.length > 0 && { inputs }), url, headers: Object.fromEntries(headers.values()) };
}

/** undefined for what is no URL, which is the origin of nothing. */
function originOf(url: string): string | undefined {
  return isUrl(url) ? new URL(url).origin : undefined;
}
