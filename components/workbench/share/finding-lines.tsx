// biome-ignore-all lint/a11y/useSemanticElements: a table can't be windowed
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on a line, or on a control in its cells
import { Chevron } from '@/components/ui/icon';
import { Checkbox } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import type { ShareDecision } from '@/lib/redact/rules';
import { countOf, formatCount } from '@/lib/wire/format';
import { type FindingGroup, type FindingRow, isRowMasked, type ShareDecisions } from './finding-groups';

/** The position of a line. */
interface LinePlace {
  readonly index: number;
  /** In px. */
  readonly top: number;
  readonly height: number;
  readonly tabIndex: number;
  /** True if it takes the focus first. */
  readonly first: boolean;
}

/** Handlers and state that all lines share. */
export interface LineActions {
  readonly decisions: ShareDecisions;
  readonly isOpen: (key: string) => boolean;
  readonly onOpen: (key: string, open: boolean) => void;
  readonly onDecide: (group: FindingGroup, rows: readonly FindingRow[], decision: ShareDecision) => void;
  readonly onLook: (seq: number, line: number) => void;
}

interface LineProps extends LineActions {
  readonly group: FindingGroup;
  readonly place: LinePlace;
}

const LINE = 'absolute inset-x-0 flex items-center gap-2 border-b border-line px-2';

/** A kind of value, with a checkbox for all of them. */
export function GroupLine({ group, place, decisions, isOpen, onOpen, onDecide }: LineProps) {
  const { key, title, rows, total } = group;
  const where = visibleText(group.place.slice(0, VALUE_CHARS));
  const masked = rows.filter((row) => isRowMasked(group, row, decisions)).length;
  const places = rows.reduce((sum, { count }) => sum + count, 0);
  const opened = isOpen(key);
  const isFixed = rows[0]?.decision === undefined;
  const single = total === 1 && rows[0] ? visibleText(rows[0].value.slice(0, VALUE_CHARS)) : undefined;
  return (
    <div
      role="row"
      data-line={place.index}
      aria-rowindex={place.index + 1}
      aria-level={1}
      aria-expanded={opened}
      tabIndex={isFixed ? place.tabIndex : -1}
      style={{ top: place.top, height: place.height }}
      className={`${LINE} bg-surface`}
    >
      <div role="gridcell" className="flex w-4 shrink-0 justify-center">
        {!isFixed && (
          <Checkbox
            aria-label={`Mask ${rows.length < total ? 'found' : 'all'}: ${[title, where].filter(Boolean).join(' ')}`}
            tabIndex={place.tabIndex}
            checked={masked === rows.length}
            indeterminate={masked > 0 && masked < rows.length}
            onChange={(mask) => onDecide(group, rows, mask ? 'mask' : 'keep')}
          />
        )}
      </div>
      <div role="gridcell" className="min-w-0 flex-1">
        <button
          type="button"
          tabIndex={-1}
          onClick={() => onOpen(key, !opened)}
          className="flex h-6 max-w-full min-w-0 items-center gap-1.5 text-left"
        >
          <Chevron open={opened} />
          <span className="max-w-full shrink-0 truncate font-medium">{title}</span>
          {where !== '' && (
            <bdi className="truncate font-mono text-wire text-muted" title={where}>
              {where}
            </bdi>
          )}
        </button>
      </div>
      {single !== undefined && !opened && (
        <bdi className="max-w-[40%] shrink-0 truncate font-mono text-wire narrow:hidden" title={single}>
          {single}
        </bdi>
      )}
      <div role="gridcell" className="tabular shrink-0 text-muted">
        {rows.length < total ? `${formatCount(rows.length)} of ${countOf(total, 'value')}` : countOf(total, 'value')}
        {places > rows.length && ` in ${countOf(places, 'place')}`}
      </div>
    </div>
  );
}

/** Frames of a value that are listed, and characters of it. */
const FRAMES_SHOWN = 3;
const VALUE_CHARS = 300;

/** One value and where it is. */
export function ValueLine({
  group,
  row,
  place,
  decisions,
  onDecide,
  onLook,
}: LineProps & { readonly row: FindingRow }) {
  const { label, length, rank, places, count, decision } = row;
  const value = visibleText(row.value.slice(0, VALUE_CHARS));
  const [first] = places;
  const path = visibleText(first?.path ?? '');
  const frames = [...new Set(places.map(({ seq }) => seq))].filter((seq) => seq > 0).slice(0, FRAMES_SHOWN);
  const shown = places.filter(({ seq }) => frames.includes(seq)).length;
  const more = count - Math.max(1, shown);
  return (
    <div
      role="row"
      data-line={place.index}
      aria-rowindex={place.index + 1}
      aria-level={2}
      tabIndex={decision === undefined && frames.length === 0 ? place.tabIndex : -1}
      style={{ top: place.top, height: place.height }}
      className={`${LINE} narrow:flex-wrap narrow:content-center narrow:gap-y-0`}
    >
      <div role="gridcell" className="ml-5 flex w-4 shrink-0 justify-center">
        {decision !== undefined && (
          <Checkbox
            aria-label={`Mask ${label} ${value}`}
            tabIndex={place.tabIndex}
            data-autofocus={place.first || undefined}
            checked={isRowMasked(group, row, decisions)}
            onChange={(mask) => onDecide(group, [row], mask ? 'mask' : 'keep')}
          />
        )}
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 items-baseline gap-2">
        <bdi className="truncate font-mono text-wire" title={value}>
          {value}
        </bdi>
        {length > 0 && <span className="shrink-0 text-small text-muted">{countOf(length, 'character')}</span>}
        {rank !== undefined && rank !== 'certain' && <span className="shrink-0 text-small text-muted">{rank}</span>}
      </div>
      <div role="gridcell" className="flex w-1/2 min-w-0 items-center gap-1.5 narrow:ml-11 narrow:w-full">
        {frames.map((seq) => (
          <button
            key={seq}
            type="button"
            data-place
            tabIndex={place.tabIndex}
            title="Look at this message"
            onClick={() => onLook(seq, place.index)}
            className="tabular h-6 min-w-6 shrink-0 text-accent underline"
          >
            #{seq}
          </button>
        ))}
        {more > 0 && <span className="tabular shrink-0 text-small text-muted">+{formatCount(more)}</span>}
        <bdi className="truncate font-mono text-wire text-muted" title={path}>
          {path}
        </bdi>
      </div>
    </div>
  );
}
