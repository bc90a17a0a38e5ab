import { JUDGED_HOSTS } from './hosts/lib/hosts';

const HOSTS: readonly { readonly id: string; readonly title: string }[] = [JUDGED_HOSTS].flat();

/** Returns the title of a host whose name was borrowed, or its id if it is not known here. */
export function borrowedTitle(id: string): string {
  return HOSTS.find((host) => host.id === id)?.title ?? id;
}
