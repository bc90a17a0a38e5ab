import { type UrlLaunch as LaunchAnywhere, resolveUrl as resolveAnywhere } from '@/lib/hub/url-launch';
import { loadTls, type TlsMaterial } from '../egress/tls-material';

/** A server at a URL, ready to be reached by the proxy. Holds secrets: never shown, logged or sent anywhere else. */
export interface UrlLaunch extends LaunchAnywhere {
  /** What its files hold; absent: nothing was named. */
  readonly tls?: TlsMaterial;
}

/** What reaching a target means here, TLS of its own included. Throws also what `loadTls` throws. */
export function resolveUrl(...given: Parameters<typeof resolveAnywhere>): UrlLaunch {
  const launch = resolveAnywhere(...given);
  const { tls } = launch.shown;
  return tls === undefined ? launch : { ...launch, tls: loadTls(launch.url, tls, process.env) };
}
