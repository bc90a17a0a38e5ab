import { useEffect, useState } from 'react';
import type { CatalogueList, ListName, RecordedOffers } from '@/lib/replay/compare/catalogue';
import { type CatalogueChange, compareCatalogues } from '@/lib/replay/compare/catalogue-diff';
import { DEFAULT_NORMALISER } from '@/lib/replay/compare/normalise';
import type { Log } from '@/lib/store/log';
import type { ListEntry, Listing, LogState } from '@/lib/store/state/state';
import { countOf } from '@/lib/wire/format';
import { runInSlices } from '@/lib/wire/in-slices';

/** Changes of what a server offers from one run to another. */
export type RunChanges = readonly CatalogueChange[];

/** Returns how two runs of a server differ in what they offer; undefined until `ready`, and while it is compared. */
export function useRunChanges(before: Log, after: Log, ready: boolean): RunChanges | undefined {
  const [found, setFound] = useState<{
    readonly of: readonly [Log, Log];
    readonly changes: RunChanges;
  }>();
  useEffect(() => {
    if (!ready) return;
    const stop = new AbortController();
    const how = { mode: 'semantic', normaliser: DEFAULT_NORMALISER } as const;
    const work = compareCatalogues(catalogueOfState(before.state), catalogueOfState(after.state), how);
    void runInSlices(work, stop.signal).then((changes) => {
      if (changes && !stop.signal.aborted) setFound({ of: [before, after], changes });
    });
    return () => stop.abort();
  }, [before, after, ready]);
  return found?.of[0] === before && found.of[1] === after ? found.changes : undefined;
}

/** Returns what a server offers according to the state of its log, which is cheaper than reading its messages. */
function catalogueOfState({ connection, server, tools, prompts, resources, templates }: LogState): RecordedOffers {
  const lists: readonly (readonly [ListName, Listing<ListEntry>])[] = [
    ['tools', tools],
    ['prompts', prompts],
    ['resources', resources],
    ['resourceTemplates', templates],
  ];
  return {
    version: connection.version,
    seq: server.seq,
    info: server.info ?? {},
    capabilities: server.capabilities ?? {},
    instructions: server.instructions,
    lists: new Map(
      lists.flatMap(([name, { status, items }]): readonly [ListName, CatalogueList][] =>
        status === 'listed'
          ? [[name, { items: items.map(({ raw, seq }) => ({ item: raw, seq })), complete: true }]]
          : [],
      ),
    ),
    refused: new Set(lists.flatMap(([name, { status }]) => (status === 'failed' ? [name] : []))),
  };
}

/** True once every list that the server declares has been read, or refused. */
export function hasReadLists({ server, tools, prompts, resources, templates }: LogState): boolean {
  return (
    server.seq !== undefined &&
    [tools, prompts, resources, templates].every(
      ({ supported, status }) => supported !== true || status === 'listed' || status === 'failed',
    )
  );
}

/** Sums up changes in short pieces: `1 tool added`, `2 tools changed`. */
export function changePieces(changes: RunChanges): readonly string[] {
  const counts = new Map<string, Set<string>>();
  for (const { about, name, change } of changes) {
    const key = `${about} ${change}`;
    counts.set(key, (counts.get(key) ?? new Set()).add(name));
  }
  return Array.from(counts, ([key, names]) => {
    const [about = '', change = ''] = key.split(' ');
    if (about === 'server') return 'server facts changed';
    return `${countOf(names.size, about)} ${change}`.replace(/capabilitys/, 'capabilities');
  });
}
