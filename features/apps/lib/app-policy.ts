import { isLoopbackName } from '@/lib/wire/url';
import type { AppNeeds, AppPermission } from './app-meta';

/** A source that an app declares: its origin, or why it is refused. */
export type JudgedSource = { readonly origin: string; readonly host: string } | { readonly refused: string };

const SOURCE = /^(https|wss):\/\/((?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?\/?$/i;
/** Names that lead to the local network by convention (RFC 6762, RFC 8375 and common use). */
const LOCAL_NAME = /(?:^|\.)(?:local|localhost|internal|intranet|lan|home|corp|private|home\.arpa)$/i;

/**
 * Judges a source of an app's policy. Only encrypted origins with a public name pass: a number could be an address of
 * this machine or network, in any notation, and so could a name without a dot.
 */
export function judgeSource(source: string): JudgedSource {
  const [, scheme, host, port] = SOURCE.exec(source) ?? [];
  if (scheme === undefined || host === undefined) {
    return { refused: /^(?:http|ws):/i.test(source) ? 'It is not encrypted.' : 'It is not an https or wss origin.' };
  }
  const name = host.replace(/^\*\./, '').toLowerCase();
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('') || isLoopbackName(name) || LOCAL_NAME.test(name)) {
    return { refused: 'It may be on this machine or network.' };
  }
  // A top-level domain has a letter first. So an address in any notation fails, such as 127.1 or 0x7f.1.
  if (!/^[a-z]/.test(labels.at(-1)!)) return { refused: 'It is an address, not a name.' };
  return {
    origin: `${scheme.toLowerCase()}://${host.toLowerCase()}${port === undefined ? '' : `:${port}`}`,
    host: name,
  };
}

const LOCAL_SERVER = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):([1-9]\d{0,4})\/?$/i;

/** Reads the origin of a server on this machine, such as a development server; undefined for any other text. */
export function localOrigin(text: string): string | undefined {
  const [, port] = LOCAL_SERVER.exec(text.trim()) ?? [];
  return port !== undefined && Number(port) <= 65_535 ? new URL(text.trim()).origin : undefined;
}

/** Origins that an app may reach, for each kind of request, and features that it may use. */
export type AppAccess = Pick<AppNeeds, 'connect' | 'resource' | 'frame' | 'base' | 'permissions'>;

/** Nothing outside its own page. */
export const NO_ACCESS: AppAccess = { connect: [], resource: [], frame: [], base: [], permissions: [] };

const KINDS = ['connect', 'resource', 'frame', 'base'] as const;

/**
 * Returns the access that the user agreed to: declared sources that pass {@link judgeSource} and are in `agreed`, and
 * the files of `local`, a server on this machine that the user named.
 */
export function agreedAccess(needs: AppAccess, agreed: ReadonlySet<string>, local?: string): AppAccess {
  const allowed = (sources: readonly string[]): readonly string[] =>
    sources.flatMap((source) => {
      const judged = judgeSource(source);
      return 'origin' in judged && agreed.has(judged.origin) ? [judged.origin] : [];
    });
  const [connect, resource, frame, base] = KINDS.map((kind) => allowed(needs[kind]));
  return {
    connect: connect!,
    frame: frame!,
    base: base!,
    resource: local === undefined ? resource! : [...resource!, local],
    permissions: needs.permissions.filter((name) => agreed.has(name)),
  };
}

/**
 * Returns the Content-Security-Policy of an app's page. `sandbox` gives it an origin of its own, also if somebody opens
 * its address directly. Inline scripts are what an app consists of. 'self' is never used: it would be our own origin.
 */
export function appPolicy({ connect, resource, frame, base }: AppAccess): string {
  const list = (sources: readonly string[], ...own: string[]): string => [...own, ...sources].join(' ') || "'none'";
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${list(resource, "'unsafe-inline'")}`,
    `style-src ${list(resource, "'unsafe-inline'")}`,
    `img-src ${list(resource, 'data:', 'blob:')}`,
    `font-src ${list(resource, 'data:')}`,
    `media-src ${list(resource, 'data:', 'blob:')}`,
    `connect-src ${list(connect)}`,
    `frame-src ${list(frame)}`,
    "worker-src 'none'",
    "object-src 'none'",
    `base-uri ${list(base)}`,
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

const FEATURES: Readonly<Record<AppPermission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** Returns the `allow` attribute of an app's frame. */
export function allowedFeatures({ permissions }: Pick<AppAccess, 'permissions'>): string {
  return permissions.map((name) => `${FEATURES[name]} *`).join('; ');
}
