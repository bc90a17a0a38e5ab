import { expect, test } from 'vitest';
import { placeIn } from './panel-items';

test('a connection that was never shown keeps the panel, but not Pins', () => {
  expect(placeIn('new', 'problems')).not.toHaveProperty('panel');
  expect(placeIn('new', 'pins')).toEqual({ frame: undefined, item: undefined, panel: undefined });
  expect(placeIn('new', 'pins')).toHaveProperty('panel');
});
