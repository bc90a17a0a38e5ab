import { shownUrl } from '@/lib/hub/shown-url';
import type { UrlTarget } from '@/lib/wire/command';
import { isUrl } from '@/lib/wire/url';

/**
 * Fills in secret values from an earlier target: headers if the origin is the same, masked parts of the URL if the URL
 * is the same. The new target's own values win. A null value removes a header.
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

/** Returns undefined for an invalid URL. */
function originOf(url: string): string | undefined {
  return isUrl(url) ? new URL(url).origin : undefined;
}
