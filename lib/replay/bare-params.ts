import { ASIDE } from '@/lib/session/request-key';
import { JsonSource } from '@/lib/wire/json-source';
import { setMembers } from '@/lib/wire/json-text';

/** Params without what only says who asks: for a server that is asked by somebody else. The rest stays as it was written. */
export function bareParams(params: string | undefined): string | undefined {
  const meta = JsonSource.parse(params ?? '')?.member('_meta');
  if (params === undefined || meta?.kind !== 'object') return params;
  const { children } = meta.children(Number.POSITIVE_INFINITY);
  const kept = children.filter(({ name }) => !ASIDE.has(name!));
  const written = kept.map(({ name, source }) => `${JSON.stringify(name)}:${source.text}`);
  return setMembers(params, [['_meta', `{${written.join(',')}}`]]);
}
