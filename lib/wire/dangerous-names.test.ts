import { expect, test } from 'vitest';
import { isDangerousName } from './dangerous-names';

test.each([
  'PATH',
  'Path',
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  ' node_options',
  'DOTNET_STARTUP_HOOKS',
  '_JAVA_OPTIONS',
  'UV_INDEX_URL',
  'PIP_INDEX_URL',
  'npm_config_registry',
  'GIT_SSH_COMMAND',
  'COR_PROFILER',
])('%s is dangerous', (name) => expect(isDangerousName(name)).toBe(true));
test.each(['HOME', 'PATHWAY', 'MY_PATH', 'GITHUB_TOKEN', 'PYTHONUNBUFFERED', ''])('%j is not dangerous', (name) =>
  expect(isDangerousName(name)).toBe(false),
);
