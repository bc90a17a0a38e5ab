/** A limit of a host, or of the API behind it. */
interface HostLimit {
  /** Host or API, for people. */
  readonly host: string;
  /** The names in `hosts` of the settings: that of the API, and those of hosts that always use it. */
  readonly names: readonly string[];
  /** ISO date of the source, or the day it was read if it has no date: hosts change their limits. */
  readonly on: string;
  readonly source: string;
}

interface NameLimit extends HostLimit {
  readonly pattern: RegExp;
  /** The pattern in words, after "accepts only". */
  readonly accepts: string;
}

const OPENAI = ['openai-api'];
const CLAUDE = ['claude-api', 'claude-desktop', 'claude-code'];

/** Names of tools that a host accepts. Hosts that add a prefix accept less. */
export const TOOL_NAME_LIMITS: readonly NameLimit[] = [
  {
    host: 'the OpenAI API',
    names: OPENAI,
    pattern: /^[a-zA-Z0-9_-]{1,64}$/,
    accepts: '1 to 64 letters, digits, underscores and hyphens',
    on: '2026-11-26',
    source: 'https://apis.io/schemas/chatgpt/chatgpt-chat-completions-function-definition/',
  },
  {
    host: 'the Claude API',
    names: CLAUDE,
    pattern: /^[a-zA-Z0-9_-]{1,128}$/,
    accepts: '1 to 128 letters, digits, underscores and hyphens',
    on: '2026-11-26',
    source: 'https://github.com/github/copilot-cli/issues/1879',
  },
];

/** Names of arguments that a host accepts, at the top level of a schema. */
export const ARGUMENT_NAME_LIMITS: readonly NameLimit[] = [
  {
    host: 'the Claude API',
    names: CLAUDE,
    pattern: /^[a-zA-Z0-9_.-]{1,64}$/,
    accepts: '1 to 64 letters, digits, underscores, dots and hyphens',
    on: '2026-04-13',
    source: 'https://github.com/beautyfree/appstore-connect-mcp/issues/2',
  },
];

/** Keywords that a host refuses at the top level of a tool’s schema. */
export const TOP_LEVEL_LIMITS: readonly (HostLimit & { readonly keywords: readonly string[] })[] = [
  {
    host: 'the Claude API',
    names: CLAUDE,
    keywords: ['oneOf', 'anyOf', 'allOf'],
    on: '2026-03-28',
    source: 'https://github.com/anthropics/claude-code/issues/40075',
  },
];

/** Most tools of all servers together. */
export const TOOL_COUNT_LIMITS: readonly (HostLimit & { readonly most: number })[] = [
  {
    host: 'VS Code',
    names: ['vscode'],
    most: 128,
    on: '2025-06-05',
    source: 'https://github.com/microsoft/vscode-copilot-release/issues/11653',
  },
  {
    host: 'Cursor',
    names: ['cursor'],
    most: 80,
    on: '2025-09-02',
    source: 'https://github.com/Snowflake-Labs/mcp/issues/77',
  },
];

/** Every host with a limit, by its name in the settings. */
export const LIMITED_HOSTS: readonly string[] = [
  ...new Set(
    [...TOOL_NAME_LIMITS, ...ARGUMENT_NAME_LIMITS, ...TOP_LEVEL_LIMITS, ...TOOL_COUNT_LIMITS].flatMap(
      ({ names }) => names,
    ),
  ),
];
