import { useEffect, useMemo, useRef, useState } from 'react';
import { JsonOutline } from '@/lib/store/json-outline';
import { inSlices } from '@/lib/wire/in-slices';
import { holdsJson, readEmbedded } from './embedded-json';
import type { TreeModel } from './tree-model';
import type { TreeRow } from './tree-rows';

const SAID = { offered: 'JSON in a string', reading: 'reading…', none: 'not JSON after all' } as const;

/** Offers to read a string that holds JSON, an object or an array, as such: in place, below its line. */
export function JsonSwitch({
  row,
  model,
  active,
  onChange,
}: {
  readonly row: TreeRow;
  readonly model: TreeModel;
  /** It is a stop of the Tab key. */
  readonly active: boolean;
  readonly onChange: (act: (model: TreeModel) => void) => void;
}) {
  const [said, setSaid] = useState<keyof typeof SAID>('offered');
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const { document, node } = row;
  const offered = useMemo(() => holdsJson(document.outline, node), [document, node]);
  if (!offered) return null;
  const shown = model.showsJson(row);
  const read = async () => {
    const stop = new AbortController();
    reading.current = stop;
    setSaid('reading');
    const outline = await inSlices(readEmbedded(document.outline, node), stop.signal).catch(() => 'not-json' as const);
    if (stop.signal.aborted) return;
    setSaid(outline instanceof JsonOutline ? 'offered' : 'none');
    if (outline instanceof JsonOutline) onChange((tree) => tree.embed(row, outline));
  };
  const toggle = () => {
    if (said !== 'offered') return;
    const known = model.embedded(row);
    if (shown) onChange((tree) => tree.setOpen(row, false));
    else if (known) onChange((tree) => tree.embed(row, known.outline));
    else void read();
  };
  return (
    <button
      type="button"
      tabIndex={active ? 0 : -1}
      aria-pressed={shown}
      aria-busy={said === 'reading'}
      aria-disabled={said === 'none'}
      onClick={(event) => {
        event.stopPropagation();
        toggle();
      }}
      className="mx-1 shrink-0 rounded-sm border border-line px-1 text-small leading-[15px] text-accent hover:border-control aria-busy:text-muted aria-disabled:text-muted aria-pressed:bg-accent/12"
    >
      {SAID[said]}
    </button>
  );
}
