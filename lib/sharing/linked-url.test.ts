import { describe, expect, test } from 'vitest';
import { readLinkedUrl } from './linked-url';

const PAGE = 'inspect.example';
const read = (text: string, page = PAGE) => readLinkedUrl(text, page);
const codeOf = (text: string, page = PAGE) => {
  const linked = read(text, page);
  return 'code' in linked ? linked.code : linked;
};

describe('the URL in a link', () => {
  test('is read as written, and percent-encoded', () => {
    const expected = {
      url: 'https://cdn.example.com/a%20b/run.mcpr.jsonl?X-Amz-Credential=AKIA%2F2026&sig=a%2Bb',
      host: 'cdn.example.com',
      path: '/a b/run.mcpr.jsonl',
      name: 'run.mcpr.jsonl',
      hasQuery: true,
      place: 'public',
    };
    expect(read(expected.url)).toEqual(expected);
    expect(read(encodeURIComponent(expected.url))).toEqual(expected);
    expect(read(`${expected.url}#frag`)).toEqual(expected);
  });

  test('names its port, and the host if it has no path', () => {
    expect(read('https://Files.example.com:8443')).toMatchObject({
      host: 'files.example.com:8443',
      name: 'files.example.com:8443',
      hasQuery: false,
    });
  });

  test.each([
    ['https://localhost/a', 'this machine'],
    ['https://127.0.0.1:9000/a', 'this machine'],
    ['https://[::1]/a', 'this machine'],
    ['https://192.168.1.7/a', 'local network'],
    ['https://0x7f.1/a', 'this machine'],
    ['https://3232235777/a', 'local network'],
    ['https://[fd00::1]/a', 'local network'],
    ['https://nas/a', 'local network'],
    ['https://nas./a', 'local network'],
    ['https://store.corp/a', 'local network'],
    ['https://store.internal/a', 'local network'],
    ['https://s3.eu-central-1.amazonaws.com/a', 'public'],
  ])('%s is at: %s', (url, place) => {
    expect(read(url)).toMatchObject({ place });
  });

  test('attack: only https passes, and http on this machine from a page on this machine', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/plain,x',
      'file:///etc/passwd',
      'blob:https://a.example/1',
      'ftp://a.example/x',
      'javascript%3Aalert(1)',
      'https:/a.example',
      'https:a',
      'https://',
      'https://a b/',
      '//a.example/x',
      'https://a.example/\u202egnp.exe',
      'https://a\\@b.example/x',
      `https://a.example/${'x'.repeat(9000)}`,
      'https%3A%2F%2F%ZZ',
      ' https://a.example/x',
    ]) {
      expect([text, codeOf(text)]).toEqual([text, 'link-url']);
    }
    for (const http of [
      'http://10.0.0.1/x',
      'http://169.254.169.254/latest',
      'http://a.example/x',
      'http://0.0.0.0/x',
    ]) {
      expect([http, codeOf(http), codeOf(http, 'localhost')]).toEqual([http, ...Array(2).fill('link-not-encrypted')]);
    }
    expect(codeOf('http://127.0.0.1:9000/x')).toBe('link-not-encrypted');
    expect(read('http://127.0.0.1:9000/x', '127.0.0.1')).toMatchObject({ place: 'this machine' });
  });

  test('attack: a user name or password in the URL is refused, and not repeated', () => {
    for (const url of [
      'https://user:hunter2@a.example/x',
      'https://hunter2@a.example/x',
      'https://:hunter2@a.example/x',
    ]) {
      expect(codeOf(url)).toBe('link-user');
      expect(JSON.stringify(read(url))).not.toContain('hunter2');
    }
  });
});
