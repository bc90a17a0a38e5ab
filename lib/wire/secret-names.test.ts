import { expect, test } from 'vitest';
import { isSecretName } from './secret-names';

const SECRET = {
  header: ['Authorization', 'X-Api-Key', 'apikey', 'Set-Cookie', 'Mcp-Session-Id', 'X-Amz-Signature', 'accessKey'],
  parameter: ['api_key', 'api%5Fkey', 'access_token', 'code', 'state', 'sig'],
  variable: [
    'GITHUB_TOKEN',
    'OPENAI_API_KEY',
    'api-key',
    'DB_PASSWORD',
    'SECRET',
    'AUTH_HEADER',
    'GITLAB_PAT',
    'DB_PWD',
  ],
  argument: [
    'pwd',
    'awsSecretAccessKey',
    'session_cookie',
    'connectionString',
    'signing-key',
    'bearer',
    'APIKey',
    'password2',
    'passcode',
    'otp',
    'userPin',
    'ssn',
    'cvv',
    'card_number',
    'accessTokens',
    'api_key_id',
    'privateKeyPem',
    'DATABASE_URL',
    'token',
    'authtoken',
    'confirmPassword',
    `${'x'.repeat(1000)}_secret`,
  ],
} as const;

const SHOWN = {
  header: ['Author', 'WWW-Authenticate', 'Proxy-Authenticate', 'Content-Type', 'monkey'],
  parameter: ['monkey', 'q', 'room', 'codec'],
  variable: ['HOME', 'KEYBOARD', 'PATH', 'AUTHOR', 'TOKENIZER', 'DEBUG', 'PWD'],
  argument: [
    'max_tokens',
    'tokens',
    'key',
    'keyword',
    'cookieConsent',
    'tokenizer',
    'pageToken',
    'next_page_token',
    'shopping',
    'spin',
    'url',
    'cardNumberFormat',
    'progressToken',
  ],
} as const;

for (const place of ['header', 'parameter', 'variable', 'argument'] as const) {
  test.each(SECRET[place])(`masks the ${place} %s`, (name) => expect(isSecretName(name, place)).toBe(true));
  test.each(SHOWN[place])(`shows the ${place} %s`, (name) => expect(isSecretName(name, place)).toBe(false));
}
