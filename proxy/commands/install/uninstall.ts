import { EXIT } from '@/proxy/cli/exit-code';
import type { RunCommand } from '@/proxy/cli/grammar';
import { tapOf } from '@/proxy/servers/tap-words';
import { chosenServers, hostNamed, ownInstaller, serversOf } from './host-servers';
import { changeConfigs } from './install';
import { changeOwnEntry } from './own-entry';

/** Puts the servers’ own commands back into the configs of a host. */
export const run: RunCommand = async (context) => {
  const host = hostNamed(context.request.words[0]!);
  const installer = ownInstaller(context);
  if (context.request.given.has('mcp')) return changeOwnEntry('remove', { host, context, installer });
  const { servers, skipped } = await serversOf(host, context, installer);
  const isNamed = context.request.words.length > 1;
  // A tapped one comes first if several configs have the server. A named one that is not tapped gets a sentence.
  const tapped = servers.filter(({ entry }) => tapOf(entry));
  const offered = isNamed ? [...tapped, ...servers.filter((one) => !tapped.includes(one))] : tapped;
  const chosen = await chosenServers(offered, { isOffered: () => true, host, context, verb: 'untap', skipped });
  // It is restored in every config that has it.
  const all = isNamed ? chosen.flatMap((one) => sameName(one.entry.name, tapped, one)) : chosen;
  await changeConfigs(all, 'untap', { host, context, installer });
  return EXIT.fine;
};

function sameName<T extends { readonly entry: { readonly name: string } }>(
  name: string,
  tapped: readonly T[],
  otherwise: T,
): readonly T[] {
  const same = tapped.filter(({ entry }) => entry.name === name);
  return same.length > 0 ? same : [otherwise];
}
