import { expect, test } from 'vitest';
import { isDangerousName, isSecretName } from './environment-fields';

test.each(['PATH', 'Path', 'NODE_OPTIONS', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', ' node_options'])(
  '%s is dangerous',
  (name) => expect(isDangerousName(name)).toBe(true),
);
test.each(['HOME', 'PATHWAY', 'MY_PATH', ''])('%j is not', (name) => expect(isDangerousName(name)).toBe(false));

test.each([
  'GITHUB_TOKEN',
  'OPENAI_API_KEY',
  'api-key',
  'DB_PASSWORD',
  'SECRET',
  'AUTH_HEADER',
  'GITLAB_PAT',
  'DB_PWD',
])('%s looks secret', (name) => expect(isSecretName(name)).toBe(true));
test.each(['HOME', 'KEYBOARD', 'PATH', 'AUTHOR', 'TOKENIZER', 'DEBUG', 'PWD'])('%s does not', (name) =>
  expect(isSecretName(name)).toBe(false),
);
