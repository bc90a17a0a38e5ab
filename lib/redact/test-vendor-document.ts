import { exampleOf } from './test-vendor-example';
import { SOURCES } from './test-vendor-sources';
import { VENDOR_KINDS } from './vendor-tokens';

const ALSO: Readonly<Record<string, string>> = {
  base62: 'CRC-32',
  routable: 'CRC-32',
  grafana: 'CRC-32',
  cloudflare: 'CRC-32',
  bech32: 'Bech32',
  digit: 'a digit',
  cases: 'both cases',
  mixed: 'a digit and both cases',
};

/** Returns the page that lists every kind of token. */
export function vendorDocument(): string {
  const sources = new Map(SOURCES);
  const rows = VENDOR_KINDS.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).map((kind) => {
    const { name, shape, check } = kind;
    const { length } = exampleOf(kind).text;
    const code = `\`${shape.replaceAll('\\|', '¦').replaceAll('|', '\\|').replaceAll('¦', '\\|')}\``;
    return `| ${name} | ${code} | ${length} | ${check ? ALSO[check] : ''} | ${sources.get(name)!.join(', ')} |`;
  });
  return `${[HEAD.trim(), ...rows].join('\n')}\n`;
}

const HEAD = `
# Tokens that mcp-inspect knows

mcp-inspect masks these ${VENDOR_KINDS.length} kinds of tokens wherever they stand, whatever their name. [Sharing](sharing.md) says what else is
masked. A test writes this page from \`lib/redact/vendor-facts.ts\`.

A shape is text with pieces in braces: an alphabet and its least and most characters. \`{m36}\` is 36 letters and digits, \`+\`
means at least, and \`(a|b)\` is either text. Alphabets: \`d\` digits, \`h\` and \`x\` hex in lower and in any case, \`l\` and \`L\` lower-case
and any letters, \`n\`, \`N\` and \`m\` digits with lower-case, upper-case and any letters, \`i\`, \`w\` and \`u\` the same as \`m\` with \`-\`, \`_\` or both,
\`v\`, \`y\` and \`t\` with some of \`.=~\` too, \`b\`, \`p\` and \`c\` forms of base64, \`g\` and \`s\` parts of a path, \`B\` base58. Where sources differ, the
wider length is here. *Least* is the length of the shortest token.

Checksums are listed but not looked at, because a mistyped token still shows most of the real one.

Some services give out keys that look like any other random text: Mistral, Cohere, Exa, Datadog, Algolia, Deepgram and older
keys of Azure and Cloudflare, for example. Only their names give them away. Snowflake's programmatic access tokens and
Cachix's tokens are JSON Web Tokens.

Sources are public rule sets ([gitleaks](https://github.com/gitleaks/gitleaks), [trufflehog](https://github.com/trufflesecurity/trufflehog),
[secretlint](https://github.com/secretlint/secretlint), [kingfisher](https://github.com/mongodb/kingfisher),
[noseyparker](https://github.com/praetorian-inc/noseyparker)) and documents of the services. \`github\` is
[GitHub's list](https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns), which names
the kinds but not their shapes; there the shape is that of the service's examples.

| token | shape | least | also has | sources |
|---|---|---|---|---|
`;
