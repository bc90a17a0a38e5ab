import type { LifecycleEvent } from './lifecycle';

/**
 * Returns a text that identifies a server over all its runs: its name, and a hash of its command or URL. The hash keeps
 * secrets in arguments out of the settings.
 */
export function serverKey(start: Extract<LifecycleEvent, { event: 'start' }>): string {
  const { name, transport } = start;
  const target = transport === 'stdio' ? [transport, start.command, start.args, start.cwd] : ['url', start.url];
  return `${name.slice(0, NAME_CHARACTERS)} ${hash(JSON.stringify(target))}`;
}

/** Most characters of the name. */
const NAME_CHARACTERS = 100;

/** Returns the FNV-1a hash of a text's UTF-16 units, 64 bits as hex. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return value.toString(16).padStart(16, '0');
}
