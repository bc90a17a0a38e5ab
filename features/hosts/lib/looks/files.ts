import type { DirectoryFile, FilePlace } from '@/features/host-judge';
import { formatPath, type OutlinePath } from '@/lib/json/outline-path';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FileLook } from '../fact';

/** Members of a list, or of an object of options, that are looked at. Real files have a few. */
export const MOST_ITEMS = 100;

/** Returns a place in a file. */
export function placeAt(path: OutlinePath, words: string): FilePlace {
  return { words, path: formatPath(path) };
}

/** Returns the text of a member; '' for anything else. */
export function textIn(object: JsonObject, name: string): string {
  const value = own(object, name);
  return typeof value === 'string' ? value : '';
}

/** Returns a member that is an object; an empty one for anything else. */
export function objectOrNone(object: JsonObject, name: string): JsonObject {
  const value = own(object, name);
  return isObject(value) ? value : {};
}

/** Returns the objects of a list with their places in it. */
export function itemsIn(object: JsonObject, name: string): readonly (readonly [at: number, item: JsonObject])[] {
  const value = own(object, name);
  const items = Array.isArray(value) ? value.slice(0, MOST_ITEMS) : [];
  return items.flatMap((item, at) => (isObject(item) ? [[at, item] as const] : []));
}

/** True for a file that names an address of the server. */
export function hasRemotes({ kind, value }: DirectoryFile): boolean {
  return kind === 'server.json' && itemsIn(value, 'remotes').length > 0;
}

/** Looks at each address in a server.json. `wordsFor` returns what is wrong with it. */
export function inRemotes(wordsFor: (url: URL) => string | undefined): FileLook {
  return {
    kind: 'server.json',
    isAbout: hasRemotes,
    find: ({ value }) =>
      itemsIn(value, 'remotes').flatMap(([at, remote]) => {
        const url = textIn(remote, 'url');
        const words = URL.canParse(url) ? wordsFor(new URL(url)) : undefined;
        return words === undefined ? [] : [placeAt(['remotes', at, 'url'], words)];
      }),
  };
}

/** Looks for members that are missing, as paths with dots. */
export function missingMembers(value: JsonObject, paths: readonly string[]): readonly FilePlace[] {
  return paths.flatMap((path) => {
    const steps = path.split('.');
    const holder = steps.slice(0, -1).reduce(objectOrNone, value);
    const found = own(holder, steps.at(-1)!);
    return found === undefined || found === null || found === '' ? [placeAt(steps, `\`${path}\` is missing.`)] : [];
  });
}
