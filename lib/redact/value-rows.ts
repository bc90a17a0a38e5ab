/** Matches text that replaces a value in examples, types, templates and code. */
export const NO_VALUE = new RegExp(
  `^(?:${[
    // Types, states and answers.
    '[A-Za-z]\\w{0,40}<.*>[;,]?|true|false|!0|!1|null|undefined|none|nil|string|str|text|number|boolean|bool|int|object|array|bytes|any|unknown|void',
    'required|optional|yes|no|on|off|empty|missing|invalid|expired|revoked|unset|set|not set|ok|valid|default|auto|n/?a',
    'required\\W.*|optional\\W.*|redacted|hidden|masked|removed|secret|password|token|key|change[-_ ]?me|example|placeholder|tbd',
    // Stand-ins: ***, xxxx, <token>, {{ token }}, %s, $TOKEN, your-api-key.
    '[*xX.•_-]+|#[0-9a-fA-F]{3,8}|<[^>\\d]*>|<[^>\\s]*\\s[^>]*>|<[^>]{0,11}>|\\$[A-Za-z_]\\w*|\\$?\\{\\{?.*\\}\\}?|%[sdvq]|%\\w+%|\\[[A-Za-z _-]*\\]',
    '(?:your|my|the|some|test|dummy|fake|sample|example|insert|replace|enter|paste)[-_ ][a-z_ -]{2,40}|[a-z-]{2,12}[-_](?:x{3,}|\\.{3}|…).*|.{0,12}\\.{3}',
    // References to a value that is elsewhere.
    '(?:process\\.env|os\\.environ|env|secrets|vars|config|self|this|props|params|args|req|options|settings)[.:[(].*',
    '(?:op|vault|aws-sm|secretsmanager|ssm|keychain|file|env|ref\\+?\\w*)://?.*|ENC\\[.*|!(?:Ref|Sub|GetAtt|secret|vault)\\b.*',
  ].join('|')})$`,
  'i',
);

/** A path or a number, and not the value of a setting. */
export const PLAIN = /^(?:[\d.,:/-]{1,19}|\.{0,2}\/[\w./-]*|[a-z]+:\/\/[^?]*)$/i;

/** Absolute paths, in byte text. A password that starts with a slash rarely has only these characters. */
export const FOLDER_PATH = /^(?:[A-Za-z]:[\\/]|\/)[\w.@+~ /\\\x80-\xff-]*$/;

/** Dates, times, versions, addresses, sizes, and numbers of fewer digits than a card has. */
export const HARMLESS_NUMBER =
  /^(?:\d{4}-\d\d-\d\d(?:[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?)?|v?\d{1,5}(?:[.:]\d{1,6}){1,4}|\d{1,7}|(?=.*[.,:/%+-])[\d.,:/%+-]{1,11}|\d[\d.,]*\s?[A-Za-z]{1,5})$/;

/**
 * Text that the protocol itself uses: methods, keys of `_meta`, media types. If a server sends such a word where a
 * secret is expected, it must not be masked in later messages. Methods by prefix, because all of them would be in every
 * shared page.
 */
export const PROTOCOL_WORD =
  /^(?:(?:completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|subscriptions|tasks|tools)\/[a-zA-Z_/]{1,40}$|io\.modelcontextprotocol\/|(?:application|text|image|audio|video)\/[a-z0-9.+-]{1,60}$)/;

/** The words of a wallet. */
export const MNEMONIC = /^(?:[a-z]{3,8}\W{1,3}){11,23}[a-z]{3,8}$/;

/** Nouns for secrets in a few languages, as labels of forms have them. */
export const LABEL_NOUN =
  /passw|passphr|passcode|kennwort|schlüssel|geheim|zugang|mot de passe|jeton|contrase|clave|senha|chave|parola|wachtwoord|hasło|heslo|lösenord|adgangskode|salasana|şifre|token|secret|\bkey|\bapi\b|credential|sign.?in|log.?in/i;

/**
 * The pairs of letters that words of European languages consist of: after the first letter of each item come those that
 * follow it. Nine of ten words have only such pairs; of random letters, four of ten are such pairs.
 */
export const PAIRS = new Set(
  'abcdfgiklmnprstuvwy baeilorsu cacehiklorstu dadeilorsu eabcdefgilmnpqrstvwxy faefiloruy gaehilnorsu haeiortu iabcdefglmnoprstvxz jaeos keis ladeilostuy mabeilmopsu nacdefgiknostuvy oabcdfgiklmnoprstuvw paehiloprstu qu racdefgiklmnorstuvy sacehiklmopstuwy tacehilorstuwy uabcdegilmnprst vaei waehinor xept yps zaei'
    .split(' ')
    .flatMap(([first, ...rest]) => rest.map((next) => first! + next)),
);
