import { parseArgs } from 'node:util';
import { closest } from './closest';

/** One option of the command line. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What its value is called in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
}

/** Every option, in the order the help shows them. */
export const OPTIONS = [
  { name: 'config', value: 'FILE', help: 'list the servers of this file (mcpServers, or VS Code’s servers)' },
  { name: 'server', value: 'NAME', help: 'connect this server of the config file' },
  { name: 'input', value: 'NAME=VALUE', help: 'answer what the config asks for by this name; repeatable' },
  { name: 'demo', help: 'connect the demo server of mcp-inspect if no other is named' },
  { name: 'protocol', value: 'VERSION', help: 'auto (default), or a version to speak without probing' },
  { name: 'no-handshake', help: 'connect and send nothing: you write each message, in Raw or by raw' },
  { name: 'transport', value: 'KIND', help: 'auto (default), http (Streamable HTTP) or sse, to reach the URL' },
  { name: 'env', value: 'NAME=VALUE', help: 'set a variable for the server; repeatable' },
  { name: 'header', short: 'H', value: 'NAME: VALUE', help: 'send this header to the URL; repeatable' },
  { name: 'ca', value: 'FILE', help: 'trust the certificates in this PEM file too; repeatable' },
  { name: 'cert', value: 'FILE', help: 'show the URL this client certificate (PEM)' },
  { name: 'key', value: 'FILE', help: 'the private key of --cert (PEM)' },
  { name: 'key-passphrase-env', value: 'NAME', help: 'the variable that holds the passphrase of --key' },
  { name: 'insecure', help: 'DANGEROUS: don’t verify the URL’s certificate' },
  { name: 'client-id', value: 'ID', help: 'who we are to the authorization server, if registered by hand' },
  {
    name: 'client-secret',
    value: 'SECRET',
    help: 'its secret; better in the variable MCP_INSPECT_CLIENT_SECRET',
  },
  { name: 'client-metadata-url', value: 'URL', help: 'a document that describes us as a client, instead of an id' },
  { name: 'scope', value: 'SCOPES', help: 'ask for these instead of what the server names' },
  { name: 'clean-env', help: 'keep the shell’s other variables from the server' },
  { name: 'cwd', value: 'DIR', help: 'start the server in this directory' },
  { name: 'port', value: 'NUMBER', help: 'port of the page; 0 takes any free one' },
  { name: 'host', value: 'ADDRESS[,NAME…]', help: 'listen elsewhere than on 127.0.0.1; names browsers may use' },
  { name: 'public-url', value: 'URL', help: 'the page’s address behind a port mapping, tunnel or ingress' },
  { name: 'allow-link-local', help: 'let URLs lead to link-local addresses and cloud metadata' },
  { name: 'record', value: 'FILE', help: 'record the first connection to this new file, NAME.mcpr.jsonl' },
  { name: 'no-record', help: 'don’t keep what is said' },
  { name: 'no-open', help: 'don’t open the browser' },
  { name: 'keep', value: 'SECONDS', help: 'how long servers live on after the last tab closed (600)' },
  { name: 'version', short: 'v', help: 'print the version' },
  { name: 'help', short: 'h', help: 'print this help' },
] as const satisfies readonly Option[];

export type OptionName = (typeof OPTIONS)[number]['name'];

/** What subcommands that compare have in common. */
export const COMPARE_OPTIONS = [
  { name: 'compare', value: 'MODE', help: 'structure, semantic (default) or strict: what counts as a difference' },
  { name: 'ignore', value: 'NAME[,NAME…]', help: 'leave this out too: hash, number, version … see docs/compare.md' },
  { name: 'junit', value: 'FILE', help: 'write a report for build servers as well (JUnit XML)' },
] as const satisfies readonly Option[];

/** A command line cut into options, words and the `--`. Nothing is judged. */
export function tokensOf(argv: readonly string[], options: readonly Option[]) {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      options.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

/** That there is no such option, as a sentence, with the one that was meant, or what to do where none is near: `otherwise`. */
export function unknownOption(rawName: string, known: readonly Option[], otherwise: string): string {
  const near = closest(
    rawName.replace(/^-+/, ''),
    known.map(({ name }) => name),
  );
  return `There is no option \`${rawName}\`: ${near ? `did you mean \`--${near}\`?` : `${otherwise}.`}`;
}
