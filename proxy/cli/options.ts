import { CLIENT_HOST_OPTIONS } from '@/features/host-options';
import { FEATURE_PAGE_OPTIONS } from '@/features/page-options';
import { RECORDING_STORES, UPLOADS } from '@/features/recording-stores';
import { RULE_OPTIONS } from '@/features/rule-files';
import type { Option, OptionKey } from './grammar';

/** Settings of a team, in the working directory. */
export const SETTINGS_FILE = 'mcp-inspect.config.json';

/** The keys of `--auth`. */
const AUTH_KEYS: readonly OptionKey[] = [
  { name: 'client-id', value: 'ID', help: 'the id of an OAuth client that you registered' },
  { name: 'client-secret', value: 'SECRET', help: 'its secret; the variable MCP_INSPECT_CLIENT_SECRET is safer' },
  { name: 'client-key', value: 'FILE', help: 'its private key (PEM), instead of a secret' },
  { name: 'client-metadata-url', value: 'URL', help: 'a document that describes the client, instead of an id' },
  { name: 'scope', value: 'SCOPES', help: 'request these scopes instead of the server’s' },
  { name: 'issuer', value: 'URL', help: 'authorize only at this authorization server' },
  { name: 'grant', value: 'KIND', help: 'no sign-in: client-credentials, enterprise or workload' },
  { name: 'token-file', value: 'FILE', help: 'for grant: the JWT of the user or workload' },
  { name: 'idp', value: 'URL', help: 'for grant=enterprise: your company’s token URL' },
  { name: 'idp-client-id', value: 'ID', help: 'the client id at idp, if it is another' },
  { name: 'dpop', help: 'always bind tokens to a key (RFC 9449)' },
  { name: 'keep', help: 'keep sign-ins for later runs; see `mcp-inspect auth`' },
];

/** A key of `--auth` that only `doctor` has. */
export const SIGN_IN_KEY: OptionKey = { name: 'sign-in', help: 'register and sign in if the server asks for it' };

/** The keys of `--tls`. */
const TLS_KEYS: readonly OptionKey[] = [
  { name: 'ca', value: 'FILE', help: 'also trust the certificates in this PEM file; repeatable' },
  { name: 'cert', value: 'FILE', help: 'present this client certificate (PEM)' },
  { name: 'key', value: 'FILE', help: 'its private key (PEM)' },
  { name: 'passphrase-env', value: 'NAME', help: 'the variable with the passphrase of the key' },
  { name: 'insecure', help: 'DANGEROUS: don’t verify the URL’s certificate' },
];

/** The keys of `--otel`. */
const OTEL_KEYS = [
  { name: 'off', help: 'give the server no address to send its telemetry to' },
  { name: 'on', help: 'also record the telemetry of the server' },
  { name: 'receive', value: 'URL', help: 'receive the server’s telemetry at this address' },
  { name: 'export', value: 'URL', help: 'export exchanges as spans by OTLP/HTTP; env: as variables say' },
] as const satisfies readonly OptionKey[];

/** OpenTelemetry of the server, and of what passes. */
export function otelOption(...keys: readonly (typeof OTEL_KEYS)[number]['name'][]): Option {
  const known = OTEL_KEYS.filter(({ name }) => keys.includes(name));
  return { name: 'otel', value: 'KEY[=VALUE]', help: 'OpenTelemetry; repeatable', keys: known };
}

/** The options with another one in place of that of its name. */
export function replaced(options: readonly Option[], by: Option): readonly Option[] {
  return options.map((option) =>
    option.name === by.name ? { ...by, ...(option.topic && { topic: option.topic }) } : option,
  );
}

/** Options of a topic, which the help of a command only names. */
export function about(topic: string, options: readonly Option[]): readonly Option[] {
  return options.map((option) => ({ ...option, topic }));
}

/** Options that name the server, and say how to start or reach it. */
export const SERVER_OPTIONS: readonly Option[] = about('connecting', [
  { name: 'config', value: 'FILE', help: 'read servers from this file, in the format of any host' },
  { name: 'server', value: 'NAME', help: 'this server of --config, or of a host: NAME or HOST/NAME' },
  { name: 'input', value: 'NAME=VALUE', help: 'answer an input of the config; repeatable' },
  { name: 'demo', help: 'connect to the bundled demo server, unless another is named', ignorable: true },
  {
    name: 'protocol',
    value: 'VERSION',
    help: 'auto (default), a version without probing, or none: no handshake',
  },
  { name: 'transport', value: 'KIND', help: 'for a URL: auto (default), http (Streamable HTTP) or sse' },
  {
    name: 'env',
    value: 'NAME[=VALUE]',
    help: 'set a variable; NAME: from this shell; minimal: no others of it',
  },
  { name: 'cwd', value: 'DIR', help: 'start the server in this directory' },
  {
    name: 'header',
    short: 'H',
    value: 'NAME: VALUE',
    help: 'send this header to the URL, or the lines of @FILE; repeatable',
  },
  { name: 'auth', value: 'KEY[=VALUE]', help: 'how to sign in at the URL; repeatable', keys: AUTH_KEYS },
  { name: 'tls', value: 'KEY[=VALUE]', help: 'certificates for the URL; repeatable', keys: TLS_KEYS },
  { name: 'settings', value: 'FILE', help: 'settings of the team (default: mcp-inspect.config.json)' },
  ...RULE_OPTIONS,
  otelOption('off', 'receive', 'export'),
  { name: 'allow-link-local', help: 'allow URLs with link-local addresses and cloud metadata' },
]);

/** Calls a tool several times. */
export const REPEAT_OPTIONS: readonly Option[] = [
  { name: 'times', value: 'N', help: 'call N times, and print one line of JSON for each' },
  { name: 'jobs', value: 'M', help: 'with --times: M calls in flight at a time (default 1)' },
];

/** The client that a subcommand presents to the server. */
export const CLIENT_OPTIONS: readonly Option[] = about('connecting', [
  ...CLIENT_HOST_OPTIONS,
  { name: 'capabilities', value: 'all|JSON', help: 'declare these client capabilities: all, {…}, @FILE or -' },
  { name: 'answers', value: 'FILE', help: 'answer what the server asks from this JSON file' },
  { name: 'log-level', value: 'LEVEL', help: 'ask for log messages of this level and above: debug to emergency' },
  {
    name: 'client',
    value: 'NAME@VERSION',
    help: 'not mcp-inspect, but this; or {"name":…,"title":…,"version":…}',
  },
  { name: 'meta', value: 'JSON', help: 'add these members to _meta of every request: {…}, @FILE or -' },
  { name: 'request-timeout', value: 'SECONDS', help: 'wait this long for a response or progress (default 60)' },
]);

/** Runs a call as a task. */
export const TASK_OPTIONS: readonly Option[] = [
  { name: 'task', value: 'auto|MS', help: 'run the call as a task, which the server keeps for MS (2025-11-25)' },
];

/** The keys of `--page`. */
const PAGE_KEYS: readonly OptionKey[] = [
  { name: 'url', value: 'URL', help: 'its address behind a port mapping, tunnel or ingress' },
  { name: 'confirm-commands', help: 'ask in the terminal before a command of the page starts' },
  { name: 'linger', value: 'SECONDS', help: 'keep servers this long after the last tab closes (default 600)' },
];

/** Options of the page: where it is served, and what it records. */
export const PAGE_OPTIONS: readonly Option[] = about('page', [
  { name: 'port', value: 'NUMBER', help: 'port of the page; 0 takes any free one' },
  { name: 'listen', value: 'ADDRESS[,NAME…]', help: 'listen on ADDRESS, not 127.0.0.1; names that browsers may use' },
  { name: 'record', value: 'FILE|off', help: 'record the first connection to NAME.mcpr.jsonl; off: keep nothing' },
  ...FEATURE_PAGE_OPTIONS,
  { name: 'no-open', help: 'don’t open the browser' },
  { name: 'page', value: 'KEY[=VALUE]', help: 'where the page is, and what it may do; repeatable', keys: PAGE_KEYS },
]);

/** The keys of `--on-save`. */
const SAVE_KEYS: readonly OptionKey[] = [
  { name: 'files', value: 'GLOB', help: 'watch these files instead; needed for a URL' },
  { name: 'build', value: 'COMMAND', help: 'run this first, and restart only if it succeeds' },
];

/** Re-run on save. */
export const WATCH_OPTIONS: readonly Option[] = [
  { name: 'watch', help: 'restart the server when its source files are saved' },
  { name: 'on-save', value: 'KEY=VALUE', help: 'how to watch; repeatable', keys: SAVE_KEYS },
];

/** Completes the address of a recording in a store. */
export const STORE_OPTIONS = RECORDING_STORES.flatMap(({ options }) => options);

/** Uploads recordings once they end. */
export const UPLOAD_OPTIONS = UPLOADS?.options ?? [];
/** Uploads the recordings of a command, which waits for that. */
/** Uploads the recordings of a command, which waits for that. */
export const AWAITED_UPLOAD = UPLOADS?.awaited ?? [];

const CONNECTION_OPTIONS: readonly Option[] = [
  { name: 'timeout', value: 'SECONDS', help: 'time limit for the whole command' },
  { name: 'record', value: 'FILE', help: 'record everything in a new file, NAME.mcpr.jsonl' },
  ...AWAITED_UPLOAD,
];

/** Output of a subcommand that prints results of a server. */
export const RESULT_OPTIONS: readonly Option[] = [
  { name: 'json', help: 'print results as JSON, exactly as received' },
  ...CONNECTION_OPTIONS,
];

/** Output of a subcommand that prints a report on a server. */
export const REPORT_OPTIONS: readonly Option[] = [
  { name: 'json', help: 'print the report as one line of JSON' },
  ...CONNECTION_OPTIONS,
];

/** Arguments of a tool or prompt. */
export const ARGUMENT_OPTIONS: readonly Option[] = [
  { name: 'arg', value: 'K=V', help: 'an argument, typed by the tool’s schema; K:=V takes V as JSON' },
  { name: 'args', value: 'JSON', help: 'all arguments at once: {…}, @FILE or - (stdin)' },
  { name: 'json', help: 'print the result as JSON, exactly as received' },
  ...CONNECTION_OPTIONS,
];

/** The forms of a report, with the file that each is written to. */
const REPORT_KEYS = [
  { name: 'junit', value: 'FILE', help: 'for build servers (JUnit XML)' },
  { name: 'sarif', value: 'FILE', help: 'for code scanning (SARIF 2.1.0); see --location' },
  { name: 'markdown', value: 'FILE', help: 'a comment for a pull request' },
  { name: 'html', value: 'FILE', help: 'a new page of each session, opened on its problems' },
  { name: 'github', help: 'print annotations for GitHub Actions' },
] as const satisfies readonly OptionKey[];

/** A form of a report. */
export type ReportKind = (typeof REPORT_KEYS)[number]['name'];

/** Also writes a report in some forms. */
export function reportOption(...kinds: readonly ReportKind[]): Option {
  return {
    name: 'report',
    value: kinds.length === 1 ? `${kinds[0]}=FILE` : 'KIND=FILE',
    help: 'also write a report; repeatable',
    keys: REPORT_KEYS.filter(({ name }) => kinds.includes(name)),
  };
}

/** A report for build servers. */
export const JUNIT_OPTION = reportOption('junit');

/** Leaves out older recordings. */
export const SINCE: Option = { name: 'since', value: 'WHEN', help: 'started then or later: 2026-11-26, 7d or 12h' };

/** Chooses rows. */
export const LIMIT: Option = { name: 'limit', value: 'N|A-B', help: 'N rows, or rows A to B' };

/** Which tools a model or an agent calls without asking. */
export const ALLOW_OPTION: Option = {
  name: 'allow',
  value: 'WHICH',
  help: 'call without asking: read-only, all, or TOOL,TOOL…',
};

/** A note of every command that waits for responses. */
export const TIMEOUT_NOTE = 'Without --timeout, a request fails after 60 seconds without a response or progress.';
