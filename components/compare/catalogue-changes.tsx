import { Badge } from '@/components/ui/badge';
import { Sentence } from '@/components/ui/sentence';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { breakingWords, type CatalogueChange } from '@/lib/compare/catalogue-diff';
import { ShowMore } from './show-more';
import type { Sides } from './side';
import { BothFrames } from './side-frame';

const TONES = { added: 'ok', removed: 'warn', changed: 'muted' } as const;

/** How what a server is and offers has changed, by what it is about. */
export function CatalogueChanges({
  changes,
  sides,
}: {
  readonly changes: readonly CatalogueChange[];
  readonly sides: Sides;
}) {
  return (
    <ShowMore items={bySubject(changes)}>
      {(group) => <Subject key={`${group[0]!.about} ${group[0]!.name}`} group={group} sides={sides} />}
    </ShowMore>
  );
}

function Subject({ group, sides }: { readonly group: readonly CatalogueChange[]; readonly sides: Sides }) {
  const { about, name, beforeSeq, afterSeq } = group[0]!;
  const title = (
    <span className="flex min-w-0 shrink-0 items-baseline gap-x-2">
      <span className="text-muted">{about}</span>
      <span className="min-w-0 font-medium">
        <UntrustedText text={name} limit={200} />
      </span>
      <BothFrames sides={sides} seqs={[beforeSeq, afterSeq]} />
    </span>
  );
  const one = group.length === 1;
  return (
    <li className={`border-b border-line px-3 py-1 ${one ? 'flex flex-wrap items-baseline gap-x-3' : ''}`}>
      {title}
      {one ? (
        <Change change={group[0]!} />
      ) : (
        <ShowMore items={group}>
          {(change, at) => (
            <li key={at} className="py-0.5">
              <Change change={change} />
            </li>
          )}
        </ShowMore>
      )}
    </li>
  );
}

function Change({ change: { breaking, change, sentence } }: { readonly change: CatalogueChange }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Badge tone={breaking ? 'error' : TONES[change]}>{breaking ? 'breaking' : change}</Badge>
      <span className="min-w-0 break-words">
        <Sentence text={sentence} draw={(text) => <UntrustedText text={text} limit={500} />} />
        {breaking && <span className="text-muted"> {breakingWords(breaking)}</span>}
      </span>
    </span>
  );
}

/** Those in a row that are about the same thing. */
function bySubject(changes: readonly CatalogueChange[]): readonly (readonly CatalogueChange[])[] {
  const groups: CatalogueChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.[0];
    if (last?.about === change.about && last.name === change.name) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  return groups;
}
