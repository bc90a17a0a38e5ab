import { expect, test } from 'vitest';
import { FAILURES } from './authorization-failures';
import { DOCUMENTS } from './document-kinds';

const URL_WITH_SECRETS = 'https://me:secret-password@a.example/mcp?api_key=secret-key&room=7';

test.each([
  ['text', FAILURES.notJson(DOCUMENTS.server, URL_WITH_SECRETS)],
  ['a list', FAILURES.notObject(DOCUMENTS.server, URL_WITH_SECRETS, [])],
  ['a missing member', FAILURES.noMember(DOCUMENTS.server, URL_WITH_SECRETS, 'issuer')],
  ['a wrong member', FAILURES.wrongMember(DOCUMENTS.server, URL_WITH_SECRETS, 'jwks', URL_WITH_SECRETS, 'an object')],
  ['a status', FAILURES.documentStatus(DOCUMENTS.server, URL_WITH_SECRETS, 500)],
  ['no metadata', FAILURES.noServerMetadata(URL_WITH_SECRETS)],
  ['another resource', FAILURES.resource(URL_WITH_SECRETS, URL_WITH_SECRETS)],
  ['another issuer', FAILURES.metadataIssuer(URL_WITH_SECRETS, URL_WITH_SECRETS)],
  ['a callback of another issuer', FAILURES.callbackIssuer(URL_WITH_SECRETS, URL_WITH_SECRETS)],
  ['an address to sign in at', FAILURES.signInUrl(URL_WITH_SECRETS, 'which is odd')],
])('masks secrets of a URL: %s', (_, { message }) => {
  expect(message).toContain('room=7');
  expect(message).not.toContain('secret-');
});
