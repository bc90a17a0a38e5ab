import type { HostLimit } from '@/features/host-judge';
import { HOST_FACTS } from './facts';
import { hostOf } from './hosts';

/** The limits of definitions that every check warns about. */
export const hostLimits: readonly HostLimit[] = HOST_FACTS.flatMap(({ hosts, limit, on, source }): HostLimit[] => {
  if (!limit) return [];
  const { also = [], ...rule } = limit;
  return [{ ...rule, host: hostOf(hosts[0]!).title, names: [...hosts, ...also], on, source }];
});
