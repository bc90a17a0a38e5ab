import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ChosenBar } from './chosen-bar';

test.each([true, false])('what is selected can be compared: %s', (two) => {
  const nothing = () => {};
  const markup = renderToStaticMarkup(
    <ChosenBar
      count={two ? 2 : 3}
      all={false}
      onAll={nothing}
      onCompare={two ? nothing : undefined}
      onExport={nothing}
      onDelete={nothing}
    />,
  );
  expect(markup.includes('Compare the two')).toBe(two);
  expect(markup).toContain('Export selected');
});
