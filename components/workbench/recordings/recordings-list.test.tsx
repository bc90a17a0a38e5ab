import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { importFiles, SelectionBar } from './recordings-list';

test.each([true, false])('offers to compare the selected recordings: %s', (two) => {
  const nothing = () => {};
  const markup = renderToStaticMarkup(
    <SelectionBar
      count={two ? 2 : 3}
      all={false}
      onAll={nothing}
      onCompare={two ? nothing : undefined}
      onExport={nothing}
      onDelete={nothing}
    />,
  );
  expect(markup.includes('Compare selected')).toBe(two);
  expect(markup).toContain('Export selected');
});

test('imports the other files if one fails, and names the failed one', async () => {
  const failure = { code: 'not-a-recording', message: 'Not a recording.', advice: 'Choose another.' };
  const kept: string[] = [];
  const files = ['a.mcpr.gz', 'notes.txt', 'b.har'].map((name) => new File(['x'], name));
  const imported = await importFiles(files, async ({ name }) => {
    if (name === 'notes.txt') throw failure;
    kept.push(name);
  });
  expect(kept).toEqual(['a.mcpr.gz', 'b.har']);
  expect(imported).toEqual({ kept: 2, failed: [{ file: 'notes.txt', failure }] });
});
