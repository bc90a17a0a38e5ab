/** The place of a name. The same name means different things in different places. */
export type SecretPlace = 'header' | 'parameter' | 'variable' | 'argument';

/**
 * Returns true if the value of this name should be masked wherever it is shown. Judges by the name alone, so it masks
 * some values that are not secret. What is written to a recording goes through the redactor (lib/redact), which also
 * judges the value.
 */
export function isSecretName(name: string, place: SecretPlace): boolean {
  return MATCHERS[place](name);
}

const MATCHERS: { readonly [P in SecretPlace]: (name: string) => boolean } = {
  header: (name) => (HEADER.test(name) || CAMEL_KEY.test(name)) && !CHALLENGES.has(name.toLowerCase()),
  // Servers read `api%5Fkey` as `api_key`.
  parameter: (name) => {
    const decoded = name.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return MATCHERS.header(decoded) || OAUTH_PARAMETER.test(decoded);
  },
  // In a shell, PWD is the working directory.
  variable: (name) => name.trim() !== 'PWD' && VARIABLE.test(name.trim()),
  argument: (name) => ARGUMENT.test(snakeCase(name.slice(-LONGEST_ARGUMENT))),
};

/** Headers that hold or describe credentials, but not `author` or `authority`. */
const HEADER =
  /auth(?!or(?!i[sz]))|cookie|token|secret|passw|credential|signature|(^|[-_])(api[-_]?)?key$|apikey|session[-_]?(id|key)?$|^dpop$/i;
const CAMEL_KEY = /[a-z0-9]Key$/;
/** These response headers name a scheme, not a credential. */
const CHALLENGES = new Set(['www-authenticate', 'proxy-authenticate']);
/** Single-use values in OAuth redirects, and signatures of signed URLs. */
const OAUTH_PARAMETER = /^(code|state|sig)$/i;

/** Matches whole words of a variable's name: `KEYBOARD` and `TOKENIZER` are not secret. */
const VARIABLE =
  /(?:^|[_-])(?:token|secret|password|passwd|pass|pwd|key|apikey|auth|credentials?|cookie|dsn|pat)(?:$|[_-])/i;

/** Matches the end of an argument's name in snake case. Tokens that continue a list are not secret. */
const ARGUMENT = new RegExp(
  `(?:${[
    'passwords?|passwd|pwd|passphrase|passcode|secrets?|credentials?|authorization|bearer|cookie|jwt',
    '(?<!(?:page|next|continuation|cursor|progress|sync)_?)token|(?:access|api|auth|bearer|refresh|session)_?tokens',
    '(?:access|api|auth|encryption|private|secret|signing|ssh)_?keys?',
    '(?:^|_)(?:t?otp|pin|ssn|cvv|cvc|dsn|(?:credit_?)?card_?number)',
    'connection_?string|(?:database|db|mongo(?:db)?|mysql|postgres(?:ql)?|redis)_?ur[il]',
  ].join('|')})(?:_?(?:id|pem|value|again|repeat|confirm(?:ation)?))?_?\\d*$`,
);
/** An argument's name is judged by this many characters at its end. Servers choose the names. */
const LONGEST_ARGUMENT = 200;

/** Converts a name to snake case: `apiKey` and `API-KEY` become `api_key`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
}
