import type { KeyboardEvent, RefObject } from 'react';
import { formatCount } from '@/components/ui/format';
import { IconButton } from '@/components/ui/icon-button';
import { TextInput } from '@/components/ui/text-input';
import type { TreePlace } from './tree-document';
import { MOST_FOUND, type TreeSearch } from './use-tree-search';

/** What to search for in the tree, how often it is there, and the way to each. */
export function TreeSearchBar({
  search,
  input,
  onShow,
  onLeave,
}: {
  readonly search: TreeSearch;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onShow: (place: TreePlace) => void;
  /** Esc in an empty box. */
  readonly onLeave: () => void;
}) {
  const any = typeof search.found === 'object' && search.found.length > 0;
  const go = (by: number) => {
    const place = search.step(by);
    if (place !== undefined) onShow(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else if (event.key !== 'Escape') return;
    else if (search.query === '') onLeave();
    else search.setQuery('');
    event.preventDefault();
  };
  return (
    <search className="flex shrink-0 items-center gap-1 border-b border-line px-2 py-1">
      <TextInput
        ref={input}
        type="search"
        aria-label="Search in the message"
        placeholder="Search in the message"
        value={search.query}
        onChange={search.setQuery}
        onKeyDown={onKeyDown}
        mono
        className="h-6 min-w-0 flex-1"
      />
      <span role="status" className="tabular shrink-0 text-small text-muted">
        {search.query !== '' && words(search)}
      </span>
      <IconButton label="Previous match" disabled={!any} onClick={() => go(-1)}>
        ↑
      </IconButton>
      <IconButton label="Next match" disabled={!any} onClick={() => go(1)}>
        ↓
      </IconButton>
    </search>
  );
}

function words({ found, at }: TreeSearch): string {
  if (found === undefined) return 'searching…';
  if (found === 'failed') return 'could not be searched';
  if (found.length === 0) return 'not found';
  const count = `${formatCount(found.length)}${found.length === MOST_FOUND ? '+' : ''}`;
  const values = found.length === 1 ? 'value' : 'values';
  return at < 0 ? `in ${count} ${values}` : `${formatCount(at + 1)} of ${count} ${values}`;
}
