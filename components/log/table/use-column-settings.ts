import { useMemo, useState } from 'react';
import { COLUMNS, type Column, type ColumnId, widthVariable } from './columns';

/** Which columns there are and how wide they are; kept in this browser. */
export interface ColumnSettings {
  readonly shown: readonly Column[];
  readonly isHidden: (id: ColumnId) => boolean;
  /** Never hides the last one. */
  readonly toggle: (id: ColumnId) => void;
  /** In px, as it was resized to or is at first; undefined for the column that takes what is left. */
  readonly widthOf: (column: Column) => number | undefined;
  /** The same for CSS. */
  readonly cssOf: (column: Column) => string;
  readonly resize: (id: ColumnId, width: number) => void;
  readonly reset: () => void;
}

interface Kept {
  readonly hidden: readonly ColumnId[];
  readonly widths: Readonly<Partial<Record<ColumnId, number>>>;
}

const KEY = 'mcp-inspect.log-columns';
const NONE: Kept = { hidden: [], widths: {} };
const LEAST_WIDTH = 20;
const MOST_WIDTH = 1200;

export function useColumnSettings(): ColumnSettings {
  const [kept, setKept] = useState(read);
  const change = (next: Kept) => {
    setKept(next);
    write(next);
  };
  // The same while nothing is hidden or shown: rows are drawn anew with it.
  const shown = useMemo(() => COLUMNS.filter(({ id }) => !kept.hidden.includes(id)), [kept.hidden]);
  return {
    shown,
    isHidden: (id) => kept.hidden.includes(id),
    toggle: (id) => {
      const hidden = kept.hidden.includes(id) ? kept.hidden.filter((other) => other !== id) : [...kept.hidden, id];
      if (hidden.length < COLUMNS.length) change({ ...kept, hidden });
    },
    widthOf: ({ id, width }) => width && (kept.widths[id] ?? width),
    cssOf: ({ id, width, css }) => (kept.widths[id] === undefined && css) || `${kept.widths[id] ?? width}px`,
    resize: (id, width) => {
      const widths = { ...kept.widths, [id]: Math.round(Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width))) };
      change({ ...kept, widths });
    },
    reset: () => change(NONE),
  };
}

/** For the element that the table begins with. */
export function widthStyles({ shown, cssOf }: ColumnSettings): Record<string, string> {
  return Object.fromEntries(shown.map((column) => [widthVariable(column.id), cssOf(column)]));
}

/** What an older version wrote, or anybody else, is taken as far as it makes sense. */
function read(): Kept {
  try {
    const { hidden, widths } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
    const ids = COLUMNS.map(({ id }) => id);
    return {
      hidden: ids.filter((id) => Array.isArray(hidden) && hidden.includes(id)).slice(0, ids.length - 1),
      widths: Object.fromEntries(ids.flatMap((id) => (isWidth(widths?.[id]) ? [[id, widths[id]]] : []))),
    };
  } catch {
    return NONE;
  }
}

function isWidth(width: unknown): width is number {
  return typeof width === 'number' && width >= LEAST_WIDTH && width <= MOST_WIDTH;
}

function write(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Where storage is forbidden it lasts until the reload.
  }
}
