import type { HostLimit } from '@/features/host-judge';
import { HOST_FACTS } from './facts';
import { type HostId, hostOf } from './hosts';

/** The limits of definitions that every check warns about. */
export const hostLimits: readonly HostLimit[] = HOST_FACTS.flatMap(({ hosts, limit, on, source }): HostLimit[] => {
  if (!limit) return [];
  const { also = [], ...rule } = limit;
  const [id] = hosts as [HostId];
  return [{ ...rule, id, host: hostOf(id).title, names: [...hosts, ...also], on, source }];
});
