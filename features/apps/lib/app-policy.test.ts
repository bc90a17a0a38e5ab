import { describe, expect, test } from 'vitest';
import { appNeeds, readAppPage, toolApp } from './app-meta';
import { agreedAccess, allowedFeatures, appPolicy, judgeSource, NO_ACCESS } from './app-policy';

describe('a source that an app declares', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['HTTPS://API.Example.com:8443/', 'https://api.example.com:8443'],
    ['wss://live.example.com', 'wss://live.example.com'],
    ['https://*.example.com', 'https://*.example.com'],
  ])('%s passes', (source, origin) => expect(judgeSource(source)).toMatchObject({ origin }));

  test.each([
    'http://api.example.com',
    'ws://api.example.com',
    '*',
    'https:',
    'https://*',
    "'self'",
    "'unsafe-eval'",
    'https://localhost',
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://[::1]',
    'https://10.0.0.1',
    'https://192.168.1.1',
    'https://169.254.169.254',
    'https://0177.0.0.1',
    'https://printer',
    'https://nas.local',
    'https://a.localhost',
    'https://metadata.google.internal',
    'https://*.local',
    'https://a.example.com/path',
    'https://user@a.example.com',
    'https://a.example.com; x',
    "https://a.example.com 'unsafe-eval'",
    'https://a..com',
    'https://-a.com',
    'data:',
    'blob:',
    'ui://x',
    '',
    'https://a.example.com:99999999',
    'https://*.com*',
    'https://127.0.0.1.',
    'https://a.example.com\nx',
  ])('%j is refused', (source) => expect(judgeSource(source)).toHaveProperty('refused'));
});

const SERVER = {
  ui: {
    csp: {
      connectDomains: ['https://api.example.com', 'http://127.0.0.1:6270', 3],
      resourceDomains: ['https://cdn.example.com'],
    },
    permissions: { camera: {}, microphone: true, unknown: {} },
  },
};

test('reads the needs of an app, and ignores what is not valid', () => {
  expect(appNeeds(SERVER)).toEqual({
    connect: ['https://api.example.com', 'http://127.0.0.1:6270'],
    resource: ['https://cdn.example.com'],
    frame: [],
    base: [],
    permissions: ['camera'],
  });
  for (const odd of [undefined, null, [], { ui: 1 }, { ui: { csp: [] } }]) expect(appNeeds(odd)).toEqual(NO_ACCESS);
});

test('an app gets only what it declares, what is public, and what the user agreed to', () => {
  const agreed = new Set(['https://api.example.com', 'http://127.0.0.1:6270', 'https://other.example.com', 'camera']);
  const access = agreedAccess(appNeeds(SERVER), agreed);
  expect(access).toEqual({ ...NO_ACCESS, connect: ['https://api.example.com'], permissions: ['camera'] });
  expect(appPolicy(access)).toContain('; connect-src https://api.example.com;');
  expect(allowedFeatures(access)).toBe('camera *');
});

test('without an agreement the policy has no origin at all', () => {
  const policy = appPolicy(NO_ACCESS);
  expect(policy).not.toMatch(/https:|wss:|http:|allow-same-origin|unsafe-eval/);
  expect(policy.replace("frame-ancestors 'self'", '')).not.toContain("'self'");
  expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'/);
});

test('finds the app of a tool under both keys', () => {
  expect(toolApp({ _meta: { ui: { resourceUri: 'ui://a' } } })).toEqual({
    uri: 'ui://a',
    visibility: ['model', 'app'],
  });
  expect(toolApp({ _meta: { 'ui/resourceUri': 'ui://b' } })).toMatchObject({ uri: 'ui://b' });
  expect(toolApp({ _meta: { ui: { visibility: ['app'] } } })).toEqual({ visibility: ['app'] });
  for (const none of [{}, { _meta: { ui: { resourceUri: 'https://a' } } }, { _meta: [] }, null]) {
    expect(toolApp(none)).toBeUndefined();
  }
});

test('reads the page from text or a blob, with needs from the contents or the list', () => {
  const listed = { _meta: SERVER };
  expect(readAppPage({ contents: [{ text: '<p>', mimeType: 'text/html' }] }, listed)).toMatchObject({
    html: '<p>',
    needs: { permissions: ['camera'] },
  });
  expect(readAppPage({ contents: [{ blob: btoa('<b>'), _meta: { ui: {} } }] }, listed)).toMatchObject({
    html: '<b>',
    needs: NO_ACCESS,
  });
  expect(readAppPage({ contents: [] })).toContain('no contents');
  expect(readAppPage({ contents: [{ blob: '%' }] })).toContain('neither');
});
