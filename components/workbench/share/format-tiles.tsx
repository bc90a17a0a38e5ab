import { useId } from 'react';
import { formatBytes } from '@/lib/wire/format';
import type { ShareFormat } from './formats';

/** A format and what is known about its output. */
export interface FormatTile {
  readonly format: ShareFormat;
  /** In bytes; undefined while it is not known. */
  readonly size: number | undefined;
  /** True if it is made when the user chooses it, so that its size is not known before. */
  readonly onDemand: boolean;
  /** Why the format is impossible. */
  readonly impossible: string | undefined;
}

/** The formats to choose from, each with its size. */
export function FormatTiles({
  tiles,
  chosen,
  onChoose,
}: {
  readonly tiles: readonly FormatTile[];
  readonly chosen: ShareFormat;
  readonly onChoose: (id: ShareFormat['id']) => void;
}) {
  const group = useId();
  return (
    <fieldset className="grid shrink-0 grid-cols-[repeat(auto-fit,minmax(112px,1fr))] gap-2">
      <legend className="sr-only">Format</legend>
      {tiles.map(({ format: { id, title }, size, onDemand, impossible }) => (
        <label
          key={id}
          className="flex min-w-0 flex-col rounded border border-line px-2 py-1.5 hover:border-control has-checked:border-accent has-checked:bg-accent/8 has-disabled:cursor-not-allowed has-disabled:border-line has-disabled:bg-surface"
        >
          <span className="flex min-w-0 items-center gap-1.5">
            <input
              type="radio"
              name={group}
              checked={id === chosen.id}
              // The chosen one keeps the focus.
              disabled={impossible !== undefined && id !== chosen.id}
              onChange={() => onChoose(id)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="truncate font-medium">{title}</span>
          </span>
          <span className="tabular pl-5.5 text-small text-muted">
            {impossible ?? (size !== undefined ? formatBytes(size) : onDemand ? 'made when chosen' : '…')}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
