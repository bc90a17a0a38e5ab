import type { Random } from './random';

/** Makes a secret as a service or a machine would. */
export function machineValue(random: Random): string {
  const make = random.pick([
    () => random.hex(random.pick([24, 32, 32, 40, 48, 64])),
    () => random.uuid(),
    () => random.text('mixed', random.int(20, 48)),
    () => random.text('mixed', random.int(20, 48)),
    () => random.text('url', random.int(22, 64)).replace(/^[-_]|[-_]$/g, 'x'),
    () => random.base64(random.pick([18, 24, 32, 48])),
    () => random.text('lowerDigits', random.int(16, 40)),
    () => random.text('upperDigits', random.int(16, 32)),
    () => `${random.word().slice(0, 3)}_${random.pick(['live', 'test', 'prod', 'v1'])}_${random.text('mixed', 28)}`,
    () => `${random.text('mixed', 12)}.${random.text('mixed', 24)}`,
  ]);
  return make();
}

/** Makes a password as a person or an administrator would. */
export function password(random: Random): string {
  const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);
  const make = random.pick([
    () => `${capital(random.word())}${random.int(1990, 2027)}${random.pick(['!', '#', '?', '$', '.', ''])}`,
    () => `${random.word()}${random.int(10, 9999)}`,
    () => `${random.words(3, '-')}-${random.int(2, 99)}`,
    () => random.text('mixed', random.int(10, 24)),
    () =>
      `${random.text('mixed', random.int(6, 12))}${random.pick(['!', '@', '%', '+', '=', '*', '~'])}${random.text('mixed', 4)}`,
    () => `${capital(random.word())}_${random.text('lowerDigits', 4)}${random.pick(['!', '%', '^'])}`,
    () => random.word().replaceAll('a', '4').replaceAll('e', '3').replaceAll('o', '0') + random.int(1, 999),
  ]);
  return make();
}

/** Makes such values of letters, digits, `_` and `-`, as they stand in URLs. */
export const plainValue = (random: Random) => machineValue(random).replace(/[^\w-]/g, 'z');
export const plainPassword = (random: Random) => password(random).replace(/[^\w-]/g, 'z');

/** Makes a value of six to nine characters. */
export function shortValue(random: Random): string {
  const value = random.pick([
    () => random.text('lowerDigits', random.int(6, 9)),
    () => random.text('mixed', random.int(6, 8)),
    () => `${random.text('lower', random.int(3, 4))}${random.int(100, 999)}${random.text('letters', 1)}`,
  ])();
  return /\d/.test(value) && /[a-z]/i.test(value) ? value : `${value.slice(0, 4)}k7${value.slice(5)}`;
}

/** Makes a value without digits: random letters, never a word. */
export function lettersOnly(random: Random): string {
  return random.text(random.pick(['lower', 'letters']), random.int(10, 24));
}

/** A name of a secret, and how values under it are made. */
interface SecretName {
  readonly name: string;
  readonly make: (random: Random) => string;
}

const KEY_WORDS = [
  'api key',
  'api key',
  'api token',
  'access token',
  'auth token',
  'secret key',
  'client secret',
  'secret',
  'token',
  'private key',
  'access key',
  'webhook secret',
  'signing secret',
  'refresh token',
  'bearer token',
  'encryption key',
  'service key',
  'app secret',
  'bot token',
  'session token',
  'master key',
  'id token',
];
const PASSWORD_WORDS = ['password', 'password', 'passwd', 'pass', 'db password', 'pwd', 'passphrase', 'user password'];
const OWNERS = [
  '',
  '',
  '',
  'acme',
  'github',
  'openai',
  'postgres',
  'mysql',
  'redis',
  'smtp',
  'stripe',
  'jira',
  'azure',
  'aws',
  'notion',
  'slack',
  'admin',
  'service',
  'billing',
  'prod',
  'staging',
  'weather',
  'search',
  'mcp',
  'ldap',
  'ftp',
];

export type Casing = 'camel' | 'snake' | 'kebab' | 'upper' | 'pascal' | 'header' | 'spaced';

/** Returns words as a name. */
export function cased(words: string, casing: Casing): string {
  const parts = words.split(' ').filter((part) => part !== '');
  const capital = (part: string) => part[0]!.toUpperCase() + part.slice(1);
  const forms: Readonly<Record<Casing, () => string>> = {
    camel: () => parts.map((part, at) => (at === 0 ? part : capital(part))).join(''),
    pascal: () => parts.map(capital).join(''),
    snake: () => parts.join('_'),
    kebab: () => parts.join('-'),
    upper: () => parts.join('_').toUpperCase(),
    header: () => `X-${parts.map(capital).join('-')}`,
    spaced: () => parts.join(' '),
  };
  return forms[casing]();
}

/** Returns a name in one of these casings. */
export function secretName(random: Random, ...casings: readonly Casing[]): SecretName {
  const isPassword = random.chance(0.35);
  const words = `${random.pick(OWNERS)} ${random.pick(isPassword ? PASSWORD_WORDS : KEY_WORDS)}`.trim();
  return { name: cased(words, random.pick(casings)), make: isPassword ? password : machineValue };
}
