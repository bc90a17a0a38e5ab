import { type ReactNode, useState } from 'react';
import { formatCount } from './format';
import { JsonString } from './json-string';
import { visibleText } from './visible-text';

/** Children shown at first and with each press of "more": what a browser lays out without a pause. */
const PAGE = 100;
/** Depth to which values are open at first, if they have no more than a page of children. */
const OPEN_DEPTH = 3;

/** Any JSON value as a tree that opens and closes. Only what is open is rendered, so size costs nothing. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div className="font-mono text-wire break-words">
      <Node value={value} depth={0} />
    </div>
  );
}

function Node({ name, value, depth }: { readonly name?: string; readonly value: unknown; readonly depth: number }) {
  if (typeof value === 'object' && value !== null) return <Branch name={name} value={value} depth={depth} />;
  return (
    <div className="pl-4">
      <Name name={name} />
      <Scalar value={value} />
    </div>
  );
}

function Branch({ name, value, depth }: { readonly name?: string; readonly value: object; readonly depth: number }) {
  const list = Array.isArray(value);
  // Arrays are paged by index: listing the keys of a million elements is a pause in itself.
  const keys = list ? undefined : Object.keys(value);
  const size = list ? value.length : (keys?.length ?? 0);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && size <= PAGE);
  const [shown, setShown] = useState(PAGE);
  const [before, after] = list ? '[]' : '{}';
  const left = size - shown;
  if (size === 0) {
    return (
      <div className="pl-4">
        <Name name={name} />
        {before}
        {after}
      </div>
    );
  }
  const children: ReactNode[] = [];
  if (open) {
    for (let i = 0; i < Math.min(size, shown); i++) {
      const key = keys ? keys[i]! : String(i);
      children.push(<Node key={key} name={key} value={(value as Record<string, unknown>)[key]} depth={depth + 1} />);
    }
  }
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={`block w-full rounded-sm text-left hover:bg-text/6 ${open ? '' : 'truncate'}`}
      >
        <span aria-hidden="true" className="inline-block w-4 text-center text-muted">
          {open ? '▾' : '▸'}
        </span>
        <Name name={name} />
        {open ? before : <Preview value={value} keys={keys} size={size} />}
      </button>
      {open && (
        <>
          <div className="ml-[7px] border-l border-line pl-[7px]">{children}</div>
          {left > 0 && (
            <button type="button" onClick={() => setShown(shown + PAGE)} className="ml-4 text-accent underline">
              Show {formatCount(Math.min(left, PAGE))} more of {formatCount(left)}
            </button>
          )}
          <div className="pl-4">{after}</div>
        </>
      )}
    </div>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <>
      <span className="text-notify">{visibleText(name)}</span>
      <span className="text-muted">: </span>
    </>
  );
}

function Scalar({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <JsonString text={value} />;
  return <span className={value === null ? 'text-muted' : 'text-warn'}>{String(value)}</span>;
}

/** One line about a closed value: a few of its members, then how many there are. */
function Preview({
  value,
  keys,
  size,
}: {
  readonly value: object;
  readonly keys: readonly string[] | undefined;
  readonly size: number;
}) {
  if (!keys) return <span className="text-muted">[ {formatCount(size)} ]</span>;
  const members = keys.slice(0, 4).map((key) => `${key}: ${brief((value as Record<string, unknown>)[key])}`);
  return (
    <span className="text-muted">
      {visibleText(`{ ${members.join(', ')}${size > members.length ? `, … ${formatCount(size)} keys` : ''} }`)}
    </span>
  );
}

function brief(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return `[${value.length}]`;
  return typeof value === 'object' && value !== null ? '{…}' : String(value);
}
