import { describe, expect, test } from 'vitest';
import { nodeOf, outlineOf } from '@/lib/json/test-outline';
import { LINE_HEIGHT, MAX_ROWS, TreeModel } from './tree-model';
import { applyTreeKey } from './tree-view';

const LONG = 'x'.repeat(500);
const PNG = 'iVBORw0KGgo'.repeat(20);

function open(value: unknown) {
  const outline = outlineOf(JSON.stringify(value));
  const model = new TreeModel(outline);
  const place = (...path: (string | number)[]) => ({ document: model.root, node: nodeOf(outline, path) });
  const rows = () => model.rows(80);
  const lines = () =>
    Array.from({ length: rows().count }, (_, index) => {
      const { document, node, depth, kind } = rows().at(index);
      return `${' '.repeat(depth)}${document.outline.name(node) ?? document.outline.indexInParent(node)}${kind === 'line' ? '' : ` ${kind}`}`;
    });
  return { model, place, rows, lines };
}

describe('rows', () => {
  test('opens four levels of at most a hundred children initially', () => {
    const { lines } = open({ a: { b: { c: { d: { e: 1 } } } }, many: Array.from({ length: 101 }, () => 0) });
    expect(lines()).toEqual(['0', ' a', '  b', '   c', '    d', ' many']);
  });

  test('shows the text of an opened long string below it, and an image without opening', () => {
    const { model, place, lines, rows } = open({ text: LONG, image: { data: PNG, mimeType: 'image/png' } });
    expect(lines()).toEqual(['0', ' text', ' image', '  data', '   data image', '  mimeType']);
    model.setOpen(place('text'), true);
    expect(lines().slice(0, 3)).toEqual(['0', ' text', '  text text']);
    expect(rows().height).toBeGreaterThan(rows().count * LINE_HEIGHT);
    model.setOpen(place('image', 'data'), false);
    expect(lines()).not.toContain('   data image');
  });

  test('shows JSON in a string as a subtree', () => {
    const { model, place, lines } = open({ text: '{"inner":[1]}', after: 1 });
    model.embed({ ...place('text'), depth: 1 }, outlineOf('{"inner":[1]}'));
    expect(lines()).toEqual(['0', ' text', '  0', '   inner', '    0', ' after']);
    model.setOpen(place('text'), false);
    expect(lines()).toEqual(['0', ' text', ' after']);
  });

  test('opens all ancestors of a revealed value', () => {
    const { model, place, rows } = open({
      a: Array.from({ length: 200 }, (_, index) => ({ deep: { down: { n: index } } })),
    });
    const wanted = place('a', 150, 'deep', 'down', 'n');
    expect(rows().indexOf(wanted.document, wanted.node)).toBe(-1);
    model.reveal(wanted);
    expect(rows().indexOf(wanted.document, wanted.node)).toBeGreaterThan(150);
  });

  test('can open all of a large value', () => {
    const { model, place, rows } = open(Array.from({ length: 20_000 }, (_, n) => [n, [n]]));
    model.openAll(place());
    expect(rows().count).toBe(1 + 20_000 * 4);
    expect(rows().indexAt(rows().top(60_000))).toBe(60_000);
  });
});

describe('heights', () => {
  test('handles thousands of images quickly and stays below the height limit of browsers', () => {
    const { model, place, rows } = open(Array.from({ length: 60_000 }, () => ({ data: PNG, mimeType: 'image/png' })));
    model.openAll(place());
    expect(rows().count).toBeGreaterThanOrEqual(MAX_ROWS);
    expect(rows().height).toBeLessThan(17_000_000);
    for (let index = 0; index < rows().count; index += 97) expect(rows().indexAt(rows().top(index))).toBe(index);
  });

  test('finds the row at a position, including below tall rows', () => {
    const { model, place, rows } = open({ a: LONG, b: LONG.replaceAll('x', 'y\n'), c: 1, d: 2 });
    model.setOpen(place('a'), true);
    model.setOpen(place('b'), true);
    for (let index = 0; index < rows().count; index++) {
      expect(rows().indexAt(rows().top(index))).toBe(index);
      expect(rows().indexAt(rows().top(index + 1) - 1)).toBe(index);
    }
    expect(rows().indexAt(1e9)).toBe(rows().count - 1);
  });
});

describe('keys', () => {
  const press = (tree: ReturnType<typeof open>, from: number, ...keys: string[]) => {
    let at = from;
    for (const key of keys) {
      const next = applyTreeKey(key, { model: tree.model, rows: tree.rows(), at, page: 10 });
      if (next) at = tree.rows().indexOf(next.document, next.node);
    }
    return tree.lines()[at];
  };

  test('up, down, home and end move between lines', () => {
    const tree = open({ a: 1, image: { data: PNG, mimeType: 'image/png' }, z: 2 });
    expect(press(tree, 0, 'ArrowDown')).toBe(' a');
    expect(press(tree, 3, 'ArrowDown')).toBe('  mimeType');
    expect(press(tree, 0, 'ArrowUp')).toBe('0');
    expect(press(tree, 0, 'End')).toBe(' z');
    expect(press(tree, 5, 'Home')).toBe('0');
    expect(press(tree, 0, 'PageDown')).toBe(' z');
  });

  test('right opens, then enters; left closes, then leaves', () => {
    const tree = open({ a: { b: 1 } });
    expect(press(tree, 2, 'ArrowLeft')).toBe(' a');
    expect(press(tree, 1, 'ArrowLeft')).toBe(' a');
    expect(tree.lines()).toEqual(['0', ' a']);
    expect(press(tree, 1, 'ArrowRight', 'ArrowRight', 'ArrowRight')).toBe('  b');
    expect(press(tree, 1, 'Enter')).toBe(' a');
    expect(tree.lines()).toEqual(['0', ' a']);
  });

  test('* opens all siblings', () => {
    const tree = open({ y: { x: { a: { b: { c: {} } }, d: { e: { f: {} } } } } });
    expect(tree.lines()).toEqual(['0', ' y', '  x', '   a', '    b', '   d', '    e']);
    press(tree, 4, '*');
    expect(tree.lines()).toContain('     c');
    expect(applyTreeKey('q', { model: tree.model, rows: tree.rows(), at: 0, page: 1 })).toBeUndefined();
  });
});
