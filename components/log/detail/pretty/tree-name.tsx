import { RepeatedMark } from '@/components/ui/repeated-mark';
import { visibleText } from '@/components/ui/visible-text';
import type { FieldMark } from './field-marks';
import { MarkedText } from './marked-text';
import { repeatsName } from './repeated-name';
import type { TreeRow } from './tree-rows';

/** Characters of a name that are shown: the line is cut sooner. */
const SHOWN = 300;

const SQUIGGLE = {
  error: 'underline decoration-error decoration-wavy underline-offset-2',
  warn: 'underline decoration-warn decoration-wavy underline-offset-2',
} as const;

/** What a value is called in what it is in, underlined if something is wrong with it. */
export function TreeName({
  row: { document, node, place },
  mark,
  query,
}: {
  readonly row: TreeRow;
  readonly mark: FieldMark | undefined;
  readonly query: string;
}) {
  const { outline, host } = document;
  if (node === 0 && host === undefined) return null;
  if (node === 0) return <span className="text-muted">JSON in the string: </span>;
  const name = outline.shortName(node) ?? String(place);
  return (
    <>
      <span
        className={`text-notify ${mark ? SQUIGGLE[mark.severe ? 'error' : 'warn'] : ''}`}
        title={mark && visibleText(mark.text)}
      >
        <MarkedText text={visibleText(name.slice(0, SHOWN))} query={query} />
      </span>
      {mark && <span className="sr-only"> (problem: {visibleText(mark.text)})</span>}
      {repeatsName(outline, node) && <RepeatedMark />}
      <span className="text-muted">: </span>
    </>
  );
}
