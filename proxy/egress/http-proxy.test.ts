import { describe, expect, test } from 'vitest';
import { httpProxyFor } from './http-proxy';

const PROXY = 'http://proxy.example:3128';

function proxyFor(url: string, environment: Readonly<Record<string, string>>) {
  return httpProxyFor(new URL(url), { NODE_ENV: 'test', ...environment });
}

describe('the variable', () => {
  test.each<[Record<string, string>, string, string | undefined]>([
    [{ HTTPS_PROXY: PROXY }, 'https://mcp.example/', 'HTTPS_PROXY'],
    [{ HTTP_PROXY: PROXY }, 'http://mcp.example/', 'HTTP_PROXY'],
    [{ https_proxy: PROXY }, 'https://mcp.example/', 'https_proxy'],
    [{ http_proxy: PROXY }, 'http://mcp.example/', 'http_proxy'],
    [{ https_proxy: PROXY, HTTPS_PROXY: 'http://other.example' }, 'https://mcp.example/', 'https_proxy'],
    [{ https_proxy: '', HTTPS_PROXY: PROXY }, 'https://mcp.example/', 'HTTPS_PROXY'],
    [{ HTTPS_PROXY: PROXY }, 'http://mcp.example/', undefined],
    [{ HTTP_PROXY: PROXY }, 'https://mcp.example/', undefined],
    [{ HTTPS_PROXY: ' ' }, 'https://mcp.example/', undefined],
    [{ ALL_PROXY: PROXY }, 'https://mcp.example/', undefined],
    [{}, 'https://mcp.example/', undefined],
  ])('%j, for %s: %s', (environment, url, variable) => {
    expect(proxyFor(url, environment)?.variable).toBe(variable);
  });

  test.each<[string, object]>([
    [PROXY, { origin: PROXY, host: 'proxy.example', port: 3128, tls: false }],
    ['proxy.example:3128', { origin: PROXY, host: 'proxy.example', port: 3128, tls: false }],
    ['proxy.example', { origin: 'http://proxy.example', port: 80 }],
    ['https://proxy.example', { origin: 'https://proxy.example', port: 443, tls: true }],
    ['http://[::1]:3128/', { origin: 'http://[::1]:3128', host: '::1', port: 3128 }],
    ['HTTP://PROXY.example:3128/ignored?x', { origin: PROXY }],
  ])('%s', (value, proxy) => {
    expect(proxyFor('https://mcp.example/', { HTTPS_PROXY: value })).toMatchObject(proxy);
  });

  test.each([
    ['http://ada:s3cret@proxy.example', 'ada:s3cret'],
    ['http://ada@proxy.example', 'ada:'],
    ['ada:s3cret@proxy.example:1', 'ada:s3cret'],
    ['http://c%6Frp%5Cada:p%40ss%3Aw%C3%B6rd@proxy.example', 'corp\\ada:p@ss:wörd'],
    ['http://ada:100%@proxy.example', 'ada:100%'],
  ])('%s has credentials', (value, credentials) => {
    const proxy = proxyFor('https://mcp.example/', { HTTPS_PROXY: value })!;
    expect(proxy.authorization).toBe(`Basic ${Buffer.from(credentials).toString('base64')}`);
    expect(proxy.origin).not.toContain('@');
  });

  test.each([
    'socks5://ada:s3cret@proxy.example',
    'http://',
    'http://ada:s3cret@:80',
    'http://ada:12#s3cret@proxy.example',
    'http://ada:12/s3cret@proxy.example',
    'http://ada:s3cret#@proxy.example',
    'file:///etc/s3cret',
    's3cret: no',
  ])('%s is invalid, and is not repeated', (value) => {
    const read = () => proxyFor('https://mcp.example/', { HTTPS_PROXY: value });
    expect(read).toThrow(
      expect.objectContaining({ code: 'proxy-invalid', message: expect.stringContaining('HTTPS_PROXY') }),
    );
    expect(read).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/s3cret|ada/) }));
    expect(proxyFor('http://127.0.0.1/', { HTTP_PROXY: value })).toBeUndefined();
  });
});

test.each([
  'http://localhost:3000/mcp',
  'http://localhost./mcp',
  'http://app.localhost/mcp',
  'http://127.0.0.1/mcp',
  'http://127.9.9.9/mcp',
  'http://0x7f.1/mcp',
  'http://0.0.0.0:8080/mcp',
  'http://[::1]/mcp',
  'http://[::]/mcp',
  'http://[::ffff:127.0.0.1]/mcp',
  'http://169.254.169.254/',
  'http://[fe80::1]/',
])('%s is always direct', (url) => {
  expect(proxyFor(url, { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY })).toBeUndefined();
});

describe('NO_PROXY', () => {
  const isDirect = (list: string, url: string, name = 'NO_PROXY') =>
    proxyFor(url, { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, [name]: list }) === undefined;

  test.each([
    ['*', 'https://mcp.example/'],
    ['mcp.example', 'https://mcp.example/'],
    ['MCP.Example', 'https://mcp.example/'],
    ['mcp.example', 'https://mcp.example./'],
    ['mcp.example', 'https://api.mcp.example/'],
    ['.mcp.example', 'https://api.mcp.example/'],
    ['.mcp.example', 'https://mcp.example/'],
    ['*.mcp.example', 'https://api.mcp.example/'],
    ['a.example, mcp.example ,b.example', 'https://mcp.example/'],
    ['a.example mcp.example', 'https://mcp.example/'],
    ['mcp.example:443', 'https://mcp.example/'],
    ['mcp.example:8080', 'http://mcp.example:8080/'],
    ['.mcp.example:80', 'http://api.mcp.example/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['10.1.2.3', 'http://10.1.2.3/'],
    ['10.1.2.3:8080', 'http://10.1.2.3:8080/'],
    ['10.0.0.0/8', 'http://10.1.2.3/'],
    ['0.0.0.0/0', 'http://10.1.2.3/'],
    ['fd00::1', 'http://[fd00::1]/'],
    ['[fd00::1]', 'http://[fd00::1]/'],
    ['FD00:0::1', 'http://[fd00::1]/'],
    ['[fd00::1]:8080', 'http://[fd00::1]:8080/'],
    ['fd00::/16', 'http://[fd00::1]/'],
    ['[fd00::]/16', 'http://[fd00::1]/'],
  ])('%s lists %s', (list, url) => {
    expect(isDirect(list, url)).toBe(true);
    expect(isDirect(list, url, 'no_proxy')).toBe(true);
  });

  test.each([
    ['', 'https://mcp.example/'],
    [',, ,', 'https://mcp.example/'],
    ['example.org', 'https://mcp.example/'],
    ['cp.example', 'https://mcp.example/'],
    ['api.mcp.example', 'https://mcp.example/'],
    ['mcp.example:8443', 'https://mcp.example/'],
    ['mcp.example:443', 'http://mcp.example/'],
    ['10.1.2.30', 'http://10.1.2.3/'],
    ['2.3', 'http://10.1.2.3/'],
    ['10.0.0.0/16', 'http://10.1.2.3/'],
    ['10.0.0.0/99', 'http://10.1.2.3/'],
    ['10.0.0.0/8', 'http://[fd00::1]/'],
    ['10.0.0.0/8', 'https://mcp.example/'],
    ['fd00::/16', 'http://10.1.2.3/'],
    ['::1/0/0', 'http://10.1.2.3/'],
    ['http://[', 'https://mcp.example/'],
    ['*x', 'https://mcp.example/'],
  ])('%s does not list %s', (list, url) => {
    expect(isDirect(list, url)).toBe(false);
  });
});
