import { describe, expect, test } from 'vitest';
import { MODEL_PROVIDERS } from '@/features/chat/lib/providers';
import { MODEL_KEY_VARIABLES } from '@/lib/wire/model-key-variables';
import { modelBaseUrl } from './model-base-url';
import { endpointHeaders, endpointOf } from './model-endpoint';
import { ModelKeys } from './model-keys';
import { findProvider, parseModelName } from './model-name';

const openai = findProvider('openai');
const ollama = findProvider('ollama');

describe('names of models', () => {
  test.each([
    ['openai:gpt-5', 'openai', 'gpt-5'],
    ['Ollama:qwen3:4b', 'ollama', 'qwen3:4b'],
    ['openrouter:meta-llama/llama-3:free', 'openrouter', 'meta-llama/llama-3:free'],
  ])('%s', (name, provider, model) => {
    expect(parseModelName(name)).toMatchObject({ provider: { id: provider }, model });
  });

  test.each([
    '',
    'gpt-5',
    ':x',
    'openai:',
    'openai: ',
    'openai:a b',
    'openai:a\nb',
    'google:../files',
    'google:a?b=c',
    'google:a%2fb',
  ])('%j is not a name', (name) => {
    expect(() => parseModelName(name)).toThrow(expect.objectContaining({ code: 'invalid-model-name' }));
  });

  test('an unknown provider gets the list of all', () => {
    const unknown = {
      code: 'unknown-provider',
      advice: expect.stringContaining('openai, anthropic, google, openrouter'),
    };
    expect(() => parseModelName('opanai:x')).toThrow(expect.objectContaining(unknown));
    expect(() => parseModelName('__proto__:x')).toThrow(expect.objectContaining({ code: 'unknown-provider' }));
  });
});

describe('keys', () => {
  test('are those of the environment, and a typed one wins', () => {
    const keys = new ModelKeys({ GEMINI_API_KEY: ' key-of-gemini \n', OPENAI_API_KEY: 'key-of-openai' });
    expect(endpointOf(findProvider('google'), { keys })).toMatchObject({
      key: 'key-of-gemini',
      keyFrom: 'GEMINI_API_KEY',
    });
    keys.type(openai, 'https://api.openai.com/v1', ' typed-key-1 ');
    expect(endpointOf(openai, { keys })).toMatchObject({ key: 'typed-key-1', keyFrom: 'typed' });
    keys.type(openai, 'https://api.openai.com/v1', '');
    expect(endpointOf(openai, { keys })).toMatchObject({ key: 'key-of-openai' });
  });

  test.each([
    ['compatible', { OPENAI_COMPATIBLE_BASE_URL: '127.0.0.1:81', OPENAI_COMPATIBLE_API_KEY: 'k' }],
    ['ollama', { OLLAMA_HOST: '0.0.0.0', OLLAMA_API_KEY: 'k' }],
    ['ollama', { OLLAMA_HOST: 'localhost:82', OLLAMA_API_KEY: 'k' }],
  ])('go to an address of the environment without a scheme: %s', (id, environment) => {
    const keys = new ModelKeys(environment);
    expect(endpointOf(findProvider(id), { keys })).toMatchObject({ key: 'k' });
    expect(endpointOf(findProvider(id), { keys, baseUrl: 'http://127.0.0.1:83' })).not.toHaveProperty('key');
    const broken = new ModelKeys({ ...environment, OLLAMA_HOST: 'http://', OPENAI_COMPATIBLE_BASE_URL: 'http://' });
    expect(endpointOf(findProvider(id), { keys: broken, baseUrl: 'http://h/v1' })).not.toHaveProperty('key');
  });

  test('a missing key is one sentence with the variable to set', () => {
    expect(() => endpointOf(openai, { keys: new ModelKeys({}) })).toThrow(
      expect.objectContaining({ code: 'no-key', advice: expect.stringContaining('Set OPENAI_API_KEY') }),
    );
    expect(endpointOf(ollama, { keys: new ModelKeys({}) })).toEqual({
      provider: ollama,
      baseUrl: 'http://127.0.0.1:11434/v1',
    });
  });

  test('a key of the environment goes to no address that a file or a page names', () => {
    const keys = new ModelKeys({ OPENAI_API_KEY: 'key-of-openai', OPENAI_BASE_URL: 'https://gateway.example/v1' });
    const at = (baseUrl: string, trustsBaseUrl = false) => endpointOf(openai, { keys, baseUrl, trustsBaseUrl }).key;
    expect(() => at('https://evil.example/v1')).toThrow(expect.objectContaining({ code: 'no-key' }));
    expect(at('https://gateway.example/other')).toBe('key-of-openai');
    expect(at('https://api.openai.com/v1')).toBe('key-of-openai');
    expect(at('http://127.0.0.1:4000', true)).toBe('key-of-openai');
  });

  test('a typed key goes only to the address that it was typed for', () => {
    const keys = new ModelKeys({});
    keys.type(openai, modelBaseUrl(openai, keys, '127.0.0.1:4000'), 'typed-key-1');
    expect(endpointOf(openai, { keys, baseUrl: 'http://127.0.0.1:4000' }).key).toBe('typed-key-1');
    expect(() => endpointOf(openai, { keys })).toThrow(expect.objectContaining({ code: 'no-key' }));
  });

  test('a redactor gets all of them, and each one that is typed later', () => {
    const keys = new ModelKeys({ ANTHROPIC_API_KEY: 'key-of-anthropic', HOME: '/home/me' });
    const heard: string[] = [];
    const stop = keys.onTyped((key) => heard.push(key));
    keys.type(ollama, 'http://127.0.0.1:11434/v1', 'typed-key-1');
    stop();
    keys.type(ollama, 'http://127.0.0.1:11434/v1', 'typed-key-2');
    expect(heard).toEqual(['typed-key-1']);
    expect(keys.values()).toEqual(['key-of-anthropic', 'typed-key-2']);
    expect(JSON.stringify(keys)).not.toMatch(/key-/);
  });

  test.each([
    ['words', 'two words'],
    ['lines', 'line\nbreak'],
    ['other letters', 'ключ'],
    ['a whole file', 'x'.repeat(5000)],
  ])('%s can’t be a key', (_, text) => {
    const keys = new ModelKeys({ OPENAI_API_KEY: text });
    const invalid = expect.objectContaining({ code: 'invalid-key', message: expect.not.stringContaining(text) });
    expect(() => keys.type(openai, 'https://api.openai.com', text)).toThrow(invalid);
    expect(() => endpointOf(openai, { keys })).toThrow(invalid);
  });

  test('programs that we start get no key of any provider', () => {
    const names = MODEL_PROVIDERS.flatMap(({ keyVariables }) => keyVariables);
    expect(new Set(names)).toEqual(MODEL_KEY_VARIABLES);
  });

  test('each dialect puts its key into a header', () => {
    const keys = new ModelKeys(Object.fromEntries(Array.from(MODEL_KEY_VARIABLES, (name) => [name, 'the-key'])));
    for (const id of ['openai', 'anthropic', 'google', 'openrouter', 'ollama']) {
      const headers = endpointHeaders(endpointOf(findProvider(id), { keys }));
      expect(Object.values(headers).filter((value) => /the-key/.test(value))).toHaveLength(1);
    }
  });
});

describe('base URLs', () => {
  test.each([
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/v1'],
    ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000/v1'],
    ['https://host.example/api/v2/', 'https://host.example/api/v2'],
    ['127.0.0.1:9000', 'http://127.0.0.1:9000/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['http://[::1]:9000', 'http://[::1]:9000/v1'],
  ])('%s', (given, expected) => {
    const keys = new ModelKeys({ OLLAMA_HOST: given });
    expect(endpointOf(ollama, { keys }).baseUrl).toBe(expected);
  });

  test.each(['ftp://x', 'https://u:p@x/v1', 'https://x/v1?key=1', 'https://x/v1#a', 'http://'])('%s', (baseUrl) => {
    const invalid = { code: 'invalid-base-url', message: expect.not.stringContaining('u:p') };
    expect(() => endpointOf(ollama, { keys: new ModelKeys({}), baseUrl })).toThrow(expect.objectContaining(invalid));
  });

  test('an endpoint without a usual address needs one', () => {
    expect(() => endpointOf(findProvider('compatible'), { keys: new ModelKeys({}) })).toThrow(
      expect.objectContaining({ code: 'no-base-url' }),
    );
  });
});
