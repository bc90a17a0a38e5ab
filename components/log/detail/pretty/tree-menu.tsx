import { Menu } from '@/components/ui/menu';
import { copy, placePath, valueText } from './tree-copy';
import type { TreeModel } from './tree-model';
import type { TreeRow } from './tree-rows';

const LOOK =
  'inline-flex h-5 w-6 items-center justify-center rounded-sm text-muted hover:bg-text/10 hover:text-text focus-visible:opacity-100';

/** What can be done with one value. */
export function TreeMenu({
  row,
  onChange,
}: {
  readonly row: TreeRow;
  readonly onChange: (act: (model: TreeModel) => void) => void;
}) {
  const { outline } = row.document;
  const quotes = outline.kind(row.node) === 'string';
  const items = () => [
    { label: 'Copy value', run: () => copy(valueText(row)) },
    ...(quotes ? [{ label: 'Copy as JSON', run: () => copy(outline.text(row.node)) }] : []),
    ...(row.node === 0 ? [] : [{ label: 'Copy path', run: () => copy(placePath(row)) }]),
    ...(outline.isBranch(row.node)
      ? [{ label: 'Open all in it', apart: true, run: () => onChange((tree) => tree.openAll(row)) }]
      : []),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keeps a press on the menu from being one on the line
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <span onClick={(event) => event.stopPropagation()}>
      <Menu label="What to do with the value" items={items} className={LOOK}>
        ⋯
      </Menu>
    </span>
  );
}
