import { countOf } from '@/lib/wire/format';
import type { KnownFacts } from './baseline';
import { LISTED_KINDS, type ListedKind } from './listed';
import { MOST_NAMES } from './report';
import { quotedName } from './tool-text';

/** A difference between a server and what was approved of it. */
export type FleetChange =
  /** The baseline does not have the server. */
  | { readonly what: 'new' }
  | {
      readonly what: ListedKind;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** Entries whose definition differs. */
      readonly changed: readonly string[];
    }
  /** `server`: its own name and version. `version`: that of the protocol. */
  | { readonly what: 'server' | 'version'; readonly before: string; readonly after: string }
  | { readonly what: 'tokens'; readonly before: number; readonly after: number };

/** Finds what differs in the facts of a server that was reached. */
export function fleetChanges(known: KnownFacts | undefined, now: KnownFacts): readonly FleetChange[] {
  if (!known) return [{ what: 'new' }];
  const texts = (['server', 'version'] as const).flatMap((what): FleetChange[] => {
    const [before, after] = [known[what], now[what]];
    return before === undefined || after === undefined || before === after ? [] : [{ what, before, after }];
  });
  const lists = LISTED_KINDS.flatMap((kind) => listChange(kind, known, now));
  const [before, after] = [known.tokens, now.tokens];
  const differs = before !== undefined && after !== undefined && before !== after;
  return [...texts, ...lists, ...(differs ? [{ what: 'tokens', before, after } as const] : [])];
}

function listChange(kind: ListedKind, known: KnownFacts, now: KnownFacts): readonly FleetChange[] {
  // An unreached server has no names.
  if (!known.names || !now.names) return [];
  const [before, after] = [digestsByName(kind, known), digestsByName(kind, now)];
  // A longer list was cut, so a name that is missing may be in the rest.
  const isCut = before.size >= MOST_NAMES || after.size >= MOST_NAMES;
  const added = isCut ? [] : [...after.keys()].filter((name) => !before.has(name));
  const removed = isCut ? [] : [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].flatMap(([name, digest]) => {
    const old = before.get(name);
    return old === undefined || digest === undefined || old === digest ? [] : [name];
  });
  return added.length + removed.length + changed.length === 0 ? [] : [{ what: kind, added, removed, changed }];
}

function digestsByName(kind: ListedKind, { names, digests }: KnownFacts): ReadonlyMap<string, string | undefined> {
  return new Map((names?.[kind] ?? []).map((name, at) => [name, digests?.[kind]?.[at]]));
}

/** Most names in a sentence. */
const SHOWN_NAMES = 20;

/** Says what changed, in a few words each. Has server text. */
export function fleetChangeTexts(change: FleetChange): readonly string[] {
  switch (change.what) {
    case 'new':
      return ['New server'];
    case 'server':
      return [`${change.after}, before ${change.before}`];
    case 'version':
      return [`Protocol ${change.after}, before ${change.before}`];
    case 'tokens':
      return [`~${countOf(change.after, 'token')}, before ~${countOf(change.before, 'token')}`];
    default:
      return (['added', 'removed', 'changed'] as const).flatMap((how) => {
        const names = change[how];
        const more = names.length - SHOWN_NAMES;
        const shown = names.slice(0, SHOWN_NAMES).map(quotedName).join(', ');
        return names.length === 0 ? [] : [`${change.what} ${how}: ${shown}${more > 0 ? ` and ${more} more` : ''}`];
      });
  }
}
