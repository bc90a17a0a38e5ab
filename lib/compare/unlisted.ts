import { LISTINGS } from '@/lib/protocol/methods';
import { own } from '@/lib/wire/message';
import { type Catalogue, isThere, type ListName } from './catalogue';

/** A list of which nothing can be said, and which side does not have it. */
export interface Unlisted {
  readonly list: ListName;
  readonly in: 'before' | 'after' | 'both';
}

/** In the order in which they are told. */
const LIST_WORDS: Readonly<Record<ListName, string>> = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resource templates',
};
const LIST_NAMES = Object.keys(LIST_WORDS) as readonly ListName[];

/** Lists that both sides have, so that they are compared. */
export function listed(before: Catalogue, after: Catalogue): readonly ListName[] {
  return LIST_NAMES.filter((list) => before.lists.has(list) && after.lists.has(list));
}

/** Lists that a side does not have. What neither has counts if the server may offer it, and did not refuse it to both. */
export function unlisted(before: Catalogue, after: Catalogue): readonly Unlisted[] {
  return LIST_NAMES.flatMap((list): readonly Unlisted[] => {
    const [was, is] = [before.lists.has(list), after.lists.has(list)];
    if (was !== is) return [{ list, in: was ? 'after' : 'before' }];
    const refused = before.refused.has(list) && after.refused.has(list);
    return was || refused || !mayOffer(list, before, after) ? [] : [{ list, in: 'both' }];
  });
}

/** Where nothing introduces the server, it may offer anything. */
function mayOffer(list: ListName, ...sides: readonly Catalogue[]): boolean {
  const capability = LISTINGS.find(([, { items }]) => items === list)![1].capability;
  return (
    sides.every(({ seq }) => seq === undefined) ||
    sides.some(({ capabilities }) => isThere(own(capabilities, capability)))
  );
}

/** In one sentence. `sides`: what each is called, and what both are, as in "in A or B". */
export function unlistedText(one: Unlisted, [before, after, both]: readonly [string, string, string]): string {
  const where = { before, after, both }[one.in];
  return `No list of ${LIST_WORDS[one.list]} in ${where}: what the server offers of them was not compared.`;
}
