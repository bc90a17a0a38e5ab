import { BlockList, isIP, isIPv6 } from 'node:net';
import { StartError } from './start-error';

/** Where to listen, and the names under which browsers may reach it. */
export interface Binding {
  /** An IP address. */
  readonly address: string;
  /** What Host may say before the port, and Origin after `http://`; lower case, IPv6 in brackets. */
  readonly names: readonly string[];
  /** The one that goes into links. */
  readonly shown: string;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const NAME = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:.]+\]$/;

/** However they are spelled: `::0` and `::ffff:0.0.0.0` are in this list too. */
const WILDCARDS = new BlockList();
WILDCARDS.addAddress('0.0.0.0', 'ipv4');
WILDCARDS.addAddress('::', 'ipv6');

/**
 * Checks where to listen. `host` is an IP address, or `localhost`, which is taken as 127.0.0.1 because as a name it
 * could be either family; `hostNames` are further names to answer to. `hasPublicUrl`: browsers come by another address,
 * which names us too. Throws StartError: `host-wildcard` for an address that means all networks when nothing names us,
 * `host-name` for what is neither.
 */
export function resolveBinding(host: string, hostNames: readonly string[], hasPublicUrl = false): Binding {
  const address = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1');
  if (!isIP(address)) throw badName(host);
  const extra = hostNames.map((name) => bracketed(name.toLowerCase()));
  const wrong = extra.find((name) => !isHostName(name));
  if (wrong !== undefined) throw badName(wrong);
  const wildcard = WILDCARDS.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  const loopback = hasPublicUrl ? (isIPv6(address) ? '[::1]' : '127.0.0.1') : undefined;
  const shown = wildcard ? (extra[0] ?? loopback) : bracketed(address);
  if (shown === undefined) throw noNames(host);
  return { address, names: [...LOOPBACK_NAMES, shown, ...extra], shown };
}

/** True for a name or address as browsers send it in Host, without the port: lower case, IPv6 in brackets. */
export function isHostName(name: string): boolean {
  return NAME.test(name);
}

function bracketed(name: string): string {
  return isIPv6(name) ? `[${name}]` : name;
}

function noNames(host: string): StartError {
  return new StartError({
    code: 'host-wildcard',
    message: `${host} means every network of this machine, and no name to answer to was given.`,
    advice:
      'Listen on one address, add the names that browsers use for this machine, or add --public-url with the address they open.',
  });
}

function badName(name: string): StartError {
  return new StartError({
    code: 'host-name',
    message: `${JSON.stringify(name)} is not a host to listen on or to answer to.`,
    advice: 'Give an IP address to listen on, and names as the browser shows them: no http://, no port.',
  });
}
