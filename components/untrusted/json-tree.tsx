import { useMemo, useState } from 'react';
import { RepeatedMark } from '@/components/ui/badge';
import { Chevron } from '@/components/ui/icon';
import { visibleText } from '@/components/ui/visible-text';
import type { JsonChild, JsonKind, JsonSource } from '@/lib/json/source';
import { countOf, formatCount } from '@/lib/wire/format';
import { shortenText } from './untrusted-text';

/** Children shown initially and added by each press of "more"; few enough to lay out without a pause. */
const PAGE = 100;
/** Values above this depth are open initially, unless they have more than a page of children. */
const OPEN_DEPTH = 3;

/**
 * A JSON value as a collapsible tree. It is drawn from the text, so digits, member order and duplicate names are kept.
 * Only open values are read, so large ones are cheap.
 */
export function JsonTree({ json, except }: { readonly json: JsonSource; readonly except?: readonly string[] }) {
  return (
    <div data-json-tree className="font-mono text-wire break-words">
      <Node json={json} depth={0} except={except} />
    </div>
  );
}

interface NodeProps {
  readonly name?: string;
  /** An earlier member has the same name. */
  readonly repeated?: boolean;
  readonly json: JsonSource;
  readonly depth: number;
  /** Names of members to leave out. */
  readonly except?: readonly string[];
}

function Node(props: NodeProps) {
  const { kind } = props.json;
  if (kind === 'object' || kind === 'array') return <Branch {...props} />;
  return (
    <div className="pl-4">
      <Name {...props} />
      {kind === 'string' ? (
        <JsonString json={props.json} />
      ) : (
        <span className={kind === 'null' ? 'text-muted' : 'text-warn'}>{props.json.text}</span>
      )}
    </div>
  );
}

function Branch(props: NodeProps) {
  const { json, depth, except } = props;
  const [shown, setShown] = useState(PAGE);
  const { count, children } = json.children(shown, except);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && count <= PAGE);
  const [before, after] = json.kind === 'array' ? '[]' : '{}';
  const left = count - children.length;
  const names = new Set<string>();
  if (count === 0) {
    return (
      <div className="pl-4">
        <Name {...props} />
        {before}
        {after}
      </div>
    );
  }
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={`block w-full rounded-sm text-left hover:bg-text/6 ${open ? '' : 'truncate'}`}
      >
        <Chevron open={open} />
        <Name {...props} />
        {open ? before : <span className="text-muted">{visibleText(collapsedText(json.kind, children, count))}</span>}
      </button>
      {open && (
        <>
          <div className="ml-[7px] border-l border-line pl-[7px]">
            {children.map(({ name, source }, index) => {
              const repeated = name !== undefined && names.has(name);
              if (name !== undefined) names.add(name);
              return (
                <Node
                  // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, places never move
                  key={index}
                  name={name ?? String(index)}
                  repeated={repeated}
                  json={source}
                  depth={depth + 1}
                />
              );
            })}
          </div>
          {left > 0 && (
            <button type="button" onClick={() => setShown(shown + PAGE)} className="ml-4 text-link">
              Show {formatCount(Math.min(left, PAGE))} more of {formatCount(left)}
            </button>
          )}
          <div className="pl-4">{after}</div>
        </>
      )}
    </div>
  );
}

function Name({ name, repeated = false }: Pick<NodeProps, 'name' | 'repeated'>) {
  if (name === undefined) return null;
  return (
    <>
      <span className="text-notify">{visibleText(name)}</span>
      {repeated && <RepeatedMark />}
      <span className="text-muted">: </span>
    </>
  );
}

/** Characters of a string shown initially, and added by each press of "more". */
const FIRST_CHARACTERS = 400;
const ADDED_CHARACTERS = 20_000;

/** A JSON string in quotes, decoded so that `\u00e9` shows as é. A long one is cut, with a button for more. */
function JsonString({ json }: { readonly json: JsonSource }) {
  const [shown, setShown] = useState(FIRST_CHARACTERS);
  const text = useMemo(() => String(json.value), [json]);
  const cut = shortenText(text, shown);
  const left = text.length - cut.length;
  const quoted = visibleText(JSON.stringify(cut));
  return (
    <span className="text-ok">
      {left > 0 ? quoted.slice(0, -1) : quoted}
      {left > 0 && (
        <button type="button" onClick={() => setShown(shown + ADDED_CHARACTERS)} className="text-link">
          … {countOf(left, 'more character')}
        </button>
      )}
    </span>
  );
}

/** Most members to preview, and characters of each value. */
const PREVIEW_MEMBERS = 4;
const PREVIEW_CHARACTERS = 40;

/** Returns a one-line preview of a closed value: the length of an array, or the first members of an object. */
export function collapsedText(kind: JsonKind, children: readonly JsonChild[], count: number): string {
  if (kind === 'array') return `[ ${formatCount(count)} ]`;
  const members = children.slice(0, PREVIEW_MEMBERS).map(({ name, source }) => `${name}: ${brief(source)}`);
  return `{ ${members.join(', ')}${count > members.length ? `, … ${formatCount(count)} members` : ''} }`;
}

function brief(source: JsonSource): string {
  if (source.kind === 'array') return '[…]';
  if (source.kind === 'object') return '{…}';
  if (source.kind !== 'string' || source.length <= PREVIEW_CHARACTERS) return source.text;
  return `${source.textStart(PREVIEW_CHARACTERS)}…"`;
}
