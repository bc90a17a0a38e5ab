import { expect, test } from 'vitest';
import { blockedAdvice, readAppNotice, reportingPage } from './app-notices';

test.each([
  ['<!doctype html><p>', '<!doctype html>'],
  ['\ufeff\n<!DOCTYPE html PUBLIC "-//W3C//DTD"><p>', '\ufeff\n<!DOCTYPE html PUBLIC "-//W3C//DTD">'],
  ['<!-- a --><!-- b -->\n<!doctype html><p>', '<!-- a --><!-- b -->\n<!doctype html>'],
  ['<p>no doctype', ''],
  ['<!-- never closed <!doctype html>', ''],
  ['', ''],
])('the reporter comes after the doctype of %j', (html, before) => {
  const page = reportingPage(html);
  expect(page.startsWith(`${before}<script>`)).toBe(true);
  expect(page.endsWith(html.slice(before.length))).toBe(true);
});

test('attack: a page of many comments is read in linear time', () => {
  expect(reportingPage('<!---->'.repeat(200_000)).startsWith('<script>')).toBe(true);
});

test.each([
  [{ method: 'mcp-inspect/blocked', params: { directive: 'img-src', url: 'https://a.example/x' } }, 'blocked'],
  [{ method: 'mcp-inspect/error', params: { text: 'TypeError: x' } }, 'error'],
  [{ method: 'mcp-inspect/blocked', params: { directive: 1, url: 'https://a.example/x' } }, undefined],
  [{ method: 'mcp-inspect/error' }, undefined],
  [{ method: 'ui/initialize', params: { text: 'x' } }, undefined],
  ['mcp-inspect/error', undefined],
])('reads the notice in %j', (message, kind) => {
  expect(readAppNotice(message)?.kind).toBe(kind);
});

const NONE = { connect: [], resource: [], frame: [], base: [], permissions: [] };
const blocked = (directive: string, url: string, app: Partial<Parameters<typeof blockedAdvice>[1]> = {}) =>
  blockedAdvice({ kind: 'blocked', directive, url }, { uri: 'ui://w/a.html', needs: NONE, tool: {}, ...app });

test.each([
  ['script-src-elem', 'https://cdn.example/a.js', 'Add "https://cdn.example" to `_meta.ui.csp.resourceDomains`'],
  ['connect-src', 'wss://live.example:8443/x', 'Add "wss://live.example:8443" to `_meta.ui.csp.connectDomains`'],
  ['frame-src', 'https://maps.example', 'Add "https://maps.example" to `_meta.ui.csp.frameDomains`'],
  ['base-uri', 'https://cdn.example/', 'Add "https://cdn.example" to `_meta.ui.csp.baseUriDomains`'],
  ['script-src', 'eval', 'build the app without eval'],
  ['worker-src', 'blob', 'Hosts allow no worker-src of this kind'],
  ['form-action', 'https://a.example/', 'Hosts allow no form-action of this kind'],
])('%s %s: %s', (directive, url, sentence) => {
  expect(blocked(directive, url)).toContain(sentence);
});

test('what the tool declares has to be moved to the resource', () => {
  const csp = { resourceDomains: ['https://cdn.example'] };
  const tool = { name: 'a', _meta: { ui: { resourceUri: 'ui://w/a.html', csp } } };
  expect(blocked('style-src-elem', 'https://cdn.example/a.css', { tool })).toBe(
    'The tool declares https://cdn.example, but hosts read what the resource declares: move it to `_meta.ui.csp.resourceDomains` of the resource ui://w/a.html.',
  );
});

test.each([
  ['https://cdn.example', 'https://cdn.example/a.js', 'allow it above, and start the app again'],
  ['https://*.example.com', 'https://b.a.example.com/a.js', 'allow it above'],
  ['https://*.example.com', 'https://badexample.com/a.js', 'Add "https://badexample.com"'],
  ['http://127.0.0.1:5173', 'http://127.0.0.1:5173/a.js', 'name it under *Files of a local server*'],
  ['http://cdn.example', 'http://cdn.example/a.js', 'which is refused. It is not encrypted.'],
])('a resource that declares %s: %s', (source, url, sentence) => {
  expect(blocked('script-src', url, { needs: { ...NONE, resource: [source] } })).toContain(sentence);
});
