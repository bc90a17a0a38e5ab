import { isUnverified } from '@/lib/wire/tls';
import type { Launch } from './launch';

/** True while whoever answers is believed. */
export function isInsecure(launch: Launch): boolean {
  return launch.transport !== 'stdio' && isUnverified(launch.url, launch.shown.tls);
}

/** What the terminal says about that; undefined if there is nothing to say. */
export function insecureNote(launch: Launch): string | undefined {
  if (launch.transport === 'stdio' || !isInsecure(launch)) return undefined;
  return `WARNING: the certificate of ${new URL(launch.url).host} is NOT verified (--insecure). Whoever answers is believed.`;
}
