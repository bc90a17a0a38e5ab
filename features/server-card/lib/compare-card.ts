import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';

/** A claim of a card beside what the live server says. */
export interface CardClaim {
  readonly what: string;
  readonly card: string;
  readonly live: string;
  readonly isSame: boolean;
}

/** Compares the claims of a card with the connection in a log, as far as the live server answers them. */
export function compareCard(card: JsonObject, log: Log): readonly CardClaim[] {
  const { server, connection, tools } = log.state;
  const claims: CardClaim[] = [];
  const add = (what: string, said: string | undefined, live: string | undefined, isSame = said === live): void => {
    if (said !== undefined && live !== undefined) claims.push({ what, card: said, live, isSame });
  };
  const name = textOf(card, 'name');
  const { info } = server;
  // A card has a reverse-DNS name, a server often only the part after its slash.
  add('name', name, info?.name, info?.name === name || info?.name === name?.slice(name.indexOf('/') + 1));
  for (const key of ['version', 'title', 'description', 'websiteUrl'])
    add(key, textOf(card, key), info && textOf(info, key));
  const { start, version, transport } = connection;
  const url = start && start.transport !== 'stdio' ? start.url : undefined;
  const remotes = own(card, 'remotes');
  if (Array.isArray(remotes) && remotes.length > 0 && url !== undefined) {
    const listed = remotes.filter(isObject);
    const remote = listed.find((each) => isSameUrl(textOf(each, 'url'), url));
    const urls = listed.map((each) => textOf(each, 'url') ?? '').join(', ');
    // The address may come from variables.
    if (remote || !urls.includes('{')) add('remote', remote ? url : urls, url, remote !== undefined);
    const type = remote && textOf(remote, 'type');
    add('transport', type, transport && (transport === 'sse' ? 'sse' : 'streamable-http'));
    const versions = remote && own(remote, 'supportedProtocolVersions');
    if (Array.isArray(versions)) addVersions(versions.map(textOrJson), supportedVersions(log), version, add);
  }
  const listedTools = own(card, 'tools');
  if (Array.isArray(listedTools) && tools.status === 'listed') {
    const said = listedTools.map((tool) => (isObject(tool) ? (textOf(tool, 'name') ?? '') : textOrJson(tool)));
    const live = tools.items.map((tool) => tool.name);
    add('tools', sorted(said), sorted(live));
  }
  const capabilities = own(card, 'capabilities');
  if (isObject(capabilities) && server.capabilities) {
    add('capabilities', sorted(Object.keys(capabilities)), sorted(Object.keys(server.capabilities)));
  }
  return claims;
}

function textOf(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

const sorted = (names: readonly string[]): string => names.toSorted().join(', ');

function isSameUrl(one: string | undefined, other: string): boolean {
  const plain = (url: string): string => (URL.canParse(url) ? new URL(url).href.replace(/\/+$/, '') : url);
  return one !== undefined && plain(one) === plain(other);
}

/** Returns the versions that the server lists in `server/discover`. */
function supportedVersions(log: Log): readonly string[] | undefined {
  const { seq } = log.state.server;
  const versions =
    seq === undefined ? undefined : messageSource(log, seq)?.member('result')?.member('supportedVersions');
  return Array.isArray(versions?.value) ? versions.value.map(textOrJson) : undefined;
}

function addVersions(
  said: readonly string[],
  listed: readonly string[] | undefined,
  negotiated: string | undefined,
  add: (what: string, card: string, live: string | undefined, isSame: boolean) => void,
): void {
  const live = listed ? sorted(listed) : negotiated;
  const isSame = listed
    ? listed.every((version) => said.includes(version)) &&
      said.every((version) => isLegacy(version) || listed.includes(version))
    : negotiated !== undefined && said.includes(negotiated);
  add('protocol versions', sorted(said), live, isSame);
}

/** `server/discover` may leave out versions of the legacy era, which have their own handshake. */
const isLegacy = (version: string): boolean => version < '2026-07-28';
