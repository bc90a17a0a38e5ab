import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentSecurityPolicy, policyOfFile } from './reply';

const hash = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

function directive(csp: string, name: string): string | undefined {
  return csp.split('; ').find((part) => part.split(' ')[0] === name);
}

test('allows inline scripts by hash, and scripts with src by origin', () => {
  const html = `<SCRIPT>a()</SCRIPT><script async src="/x.js"></script><script id="x">b\n()</script><script>a()</script>`;
  expect(directive(contentSecurityPolicy(html), 'script-src')).toBe(
    `script-src 'self' ${hash('a()')} ${hash('b\n()')}`,
  );
});

test('hashes line ends as browsers read them', () => {
  expect(contentSecurityPolicy('<script>a\r\nb\rc</script>')).toContain(hash('a\nb\nc'));
});

test('without HTML, allows no inline script and nothing from elsewhere', () => {
  const csp = contentSecurityPolicy();
  expect(directive(csp, 'script-src')).toBe("script-src 'self'");
  expect(directive(csp, 'default-src')).toBe("default-src 'none'");
  expect(directive(csp, 'require-trusted-types-for')).toBe("require-trusted-types-for 'script'");
  for (const name of ['object-src', 'base-uri', 'form-action', 'frame-ancestors']) {
    expect(directive(csp, name)).toBe(`${name} 'none'`);
  }
  expect(csp).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(csp.match(/unsafe-inline/g)).toHaveLength(1);
});

test('allows one file to reach other origins, and nothing else', () => {
  const policy = policyOfFile('/direct/worker.js')!;
  expect(directive(policy, 'default-src')).toBe("default-src 'none'");
  expect(directive(policy, 'connect-src')).toBe('connect-src http: https:');
  expect(policy).not.toMatch(/script-src|worker-src|unsafe|\*/);
  for (const path of [
    '/',
    '/index.html',
    '/direct/worker.js.map',
    '/direct/',
    '/monaco/editor.js',
    '/DIRECT/worker.js',
  ]) {
    expect(policyOfFile(path), path).toBeUndefined();
  }
});
