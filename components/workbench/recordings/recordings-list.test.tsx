import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SelectionBar } from './recordings-list';

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
