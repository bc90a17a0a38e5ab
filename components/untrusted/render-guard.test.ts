import { expect, test } from 'vitest';
import { RenderGuard } from './render-guard';

test('shows the fallback until the content changes', () => {
  const props = { fallback: 'sorry', children: 'tree', about: '1 pretty' };
  const failed = { about: '1 pretty', ...RenderGuard.getDerivedStateFromError(new Error('too deep')) };
  expect(RenderGuard.getDerivedStateFromProps(props, failed)).toBeNull();
  expect(RenderGuard.getDerivedStateFromProps({ ...props, about: '1 raw' }, failed)).toEqual({
    failed: undefined,
    about: '1 raw',
  });
});
