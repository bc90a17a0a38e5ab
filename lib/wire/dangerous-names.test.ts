import { expect, test } from 'vitest';
import { isDangerousName } from './dangerous-names';

test.each(['PATH', 'Path', 'NODE_OPTIONS', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', ' node_options'])(
  '%s is dangerous',
  (name) => expect(isDangerousName(name)).toBe(true),
);
test.each(['HOME', 'PATHWAY', 'MY_PATH', ''])('%j is not dangerous', (name) =>
  expect(isDangerousName(name)).toBe(false),
);
