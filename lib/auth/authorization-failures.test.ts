import { expect, test } from 'vitest';
import { FAILURES } from './authorization-failures';

const URL_WITH_SECRETS = 'https://me:secret-password@a.example/mcp?api_key=secret-key&room=7';

test.each([
  ['metadata', FAILURES.metadata(URL_WITH_SECRETS, 'it is not JSON')],
  ['no metadata', FAILURES.noServerMetadata(URL_WITH_SECRETS)],
  ['another resource', FAILURES.resource(URL_WITH_SECRETS, URL_WITH_SECRETS)],
  ['another issuer', FAILURES.metadataIssuer(URL_WITH_SECRETS, URL_WITH_SECRETS)],
  ['a callback of another issuer', FAILURES.callbackIssuer(URL_WITH_SECRETS, URL_WITH_SECRETS)],
  ['an address to sign in at', FAILURES.signInUrl(URL_WITH_SECRETS, 'which is odd')],
])('masks secrets of a URL: %s', (_, { message }) => {
  expect(message).toContain('room=7');
  expect(message).not.toContain('secret-');
});
