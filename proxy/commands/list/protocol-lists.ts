import { LISTINGS } from '@/lib/protocol/methods';
import type { ListKind } from '@/lib/store/list-changes';
import { type NamedList, PROMPTS, RESOURCES, TEMPLATES, TOOLS } from '../headless/named-entries';

/** The lists of the protocol. */
export const LISTS: { readonly [K in ListKind]: NamedList } = {
  tools: TOOLS,
  resources: RESOURCES,
  templates: TEMPLATES,
  prompts: PROMPTS,
};

/** Returns the name of the capability with which a server declares a list. */
export function capabilityOf(kind: ListKind): string {
  return LISTINGS.find(([method]) => method === LISTS[kind].method)![1].capability;
}
