import {
  type ConvertEntry,
  fromCodex,
  fromContinue,
  fromGemini,
  fromGoose,
  fromOpencode,
  fromWarp,
  fromZed,
} from './entry-forms';

/** A program that reads MCP servers from configs on this machine. */
export interface Host {
  readonly id: string;
  readonly title: string;
  /** Documents that name its files, keys and fields. */
  readonly sources: readonly string[];
  /** In the order in which the host prefers them. */
  readonly files: readonly HostFile[];
  /** Absent: its entries have the form that most hosts use. */
  readonly convert?: ConvertEntry;
}

/** A config of a host. The format follows from the extension. */
export interface HostFile {
  /**
   * `~` is the home folder. `$NAME` is a folder of {@link FOLDER_VARIABLES}. `*` at the end stands for every config
   * in a folder.
   */
  readonly path: string | PathPerSystem;
  /** The path is relative to the project’s folder. */
  readonly project?: true;
  /** Keys that lead to the servers. {@link PROJECT_FOLDER} stands for the project’s folder. */
  readonly key: readonly string[];
}

/** A path for each system. */
export interface PathPerSystem {
  readonly linux: string;
  readonly macos: string;
  readonly windows: string;
}

/** Stands for the path of the project’s folder in a key. */
export const PROJECT_FOLDER = '{folder}';

const MCP_SERVERS = ['mcpServers'];

/** Variables with the folder of a host, and the folder if they are not set. */
export const FOLDER_VARIABLES: ReadonlyMap<string, string> = new Map([
  ['XDG_CONFIG_HOME', '~/.config'],
  ['APPDATA', '~/AppData/Roaming'],
  ['CLAUDE_CONFIG_DIR', '~'],
  ['CLINE_DIR', '~/.cline'],
  ['CODEX_HOME', '~/.codex'],
  ['GEMINI_CLI_HOME', '~'],
]);

function user(path: HostFile['path'], key = MCP_SERVERS): HostFile {
  return { path, key };
}

function project(path: string, key = MCP_SERVERS): HostFile {
  return { path, key, project: true };
}

/** Returns a path in the folder where each system keeps the data of programs. */
function appData(path: string): PathPerSystem {
  return {
    linux: `$XDG_CONFIG_HOME/${path}`,
    macos: `~/Library/Application Support/${path}`,
    windows: `$APPDATA/${path}`,
  };
}

/** Returns a path in the folder of configs on Linux and macOS, and in another folder on Windows. */
function inConfig(path: string, windows: string): PathPerSystem {
  return { linux: `$XDG_CONFIG_HOME/${path}`, macos: `~/.config/${path}`, windows };
}

/** The hosts whose configs are read. */
export const HOSTS: readonly Host[] = [
  {
    id: 'mcp-json',
    title: 'MCPHost and others',
    sources: ['https://github.com/mark3labs/mcphost'],
    files: [user('~/.mcp.json')],
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    sources: ['https://modelcontextprotocol.io/docs/develop/connect-local-servers'],
    // There is no official version for Linux. Repackaged ones use this folder.
    files: [user(appData('Claude/claude_desktop_config.json'))],
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    sources: ['https://code.claude.com/docs/en/mcp'],
    files: [
      user('$CLAUDE_CONFIG_DIR/.claude.json', ['projects', PROJECT_FOLDER, 'mcpServers']),
      project('.mcp.json'),
      user('$CLAUDE_CONFIG_DIR/.claude.json'),
    ],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    sources: ['https://cursor.com/docs/context/mcp'],
    files: [project('.cursor/mcp.json'), user('~/.cursor/mcp.json')],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    sources: [
      'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
      'https://code.visualstudio.com/docs/configure/settings',
    ],
    files: [
      project('.vscode/mcp.json', ['servers']),
      user(appData('Code/User/mcp.json'), ['servers']),
      user(appData('Code/User/settings.json'), ['mcp', 'servers']),
      user(appData('Code - Insiders/User/mcp.json'), ['servers']),
      user(appData('Code - Insiders/User/settings.json'), ['mcp', 'servers']),
    ],
  },
  {
    id: 'windsurf',
    title: 'Windsurf, Devin Desktop',
    sources: ['https://docs.windsurf.com/windsurf/cascade/mcp', 'https://docs.devin.ai/desktop/cascade/mcp'],
    files: [
      project('.devin/mcp_config.json'),
      user(inConfig('devin/mcp_config.json', '$APPDATA/devin/mcp_config.json')),
      user('~/.codeium/windsurf/mcp_config.json'),
      user('~/.codeium/mcp_config.json'),
    ],
  },
  {
    id: 'zed',
    title: 'Zed',
    sources: ['https://zed.dev/docs/ai/mcp', 'https://zed.dev/docs/configuring-zed'],
    files: [user(inConfig('zed/settings.json', '$APPDATA/Zed/settings.json'), ['context_servers'])],
    convert: fromZed,
  },
  {
    id: 'cline',
    title: 'Cline',
    sources: ['https://docs.cline.bot/getting-started/config', 'https://docs.cline.bot/mcp/mcp-overview'],
    files: [
      user('$CLINE_DIR/data/settings/cline_mcp_settings.json'),
      user(appData('Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json')),
    ],
  },
  {
    id: 'roo',
    title: 'Roo Code',
    sources: ['https://docs.roocode.com/features/mcp/using-mcp-in-roo'],
    files: [
      project('.roo/mcp.json'),
      user(appData('Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json')),
    ],
  },
  {
    id: 'continue',
    title: 'Continue',
    sources: ['https://docs.continue.dev/customize/deep-dives/mcp', 'https://docs.continue.dev/reference'],
    files: [project('.continue/mcpServers/*'), user('~/.continue/mcpServers/*'), user('~/.continue/config.yaml')],
    convert: fromContinue,
  },
  {
    id: 'codex',
    title: 'Codex',
    sources: ['https://developers.openai.com/codex/mcp'],
    files: [project('.codex/config.toml', ['mcp_servers']), user('$CODEX_HOME/config.toml', ['mcp_servers'])],
    convert: fromCodex,
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    sources: ['https://geminicli.com/docs/tools/mcp-server', 'https://geminicli.com/docs/reference/configuration'],
    files: [project('.gemini/settings.json'), user('$GEMINI_CLI_HOME/.gemini/settings.json')],
    convert: fromGemini,
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    sources: ['https://lmstudio.ai/blog/mcp'],
    files: [user('~/.lmstudio/mcp.json')],
  },
  {
    id: 'junie',
    title: 'JetBrains Junie',
    sources: ['https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html'],
    files: [project('.junie/mcp/mcp.json'), user('~/.junie/mcp/mcp.json')],
  },
  {
    id: 'goose',
    title: 'Goose',
    sources: ['https://goose-docs.ai/docs/guides/config-files'],
    files: [user(inConfig('goose/config.yaml', '$APPDATA/Block/goose/config/config.yaml'), ['extensions'])],
    convert: fromGoose,
  },
  {
    id: 'amazon-q',
    title: 'Amazon Q Developer',
    sources: ['https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/mcp-ide.html'],
    files: [
      project('.amazonq/default.json'),
      project('.amazonq/mcp.json'),
      user('~/.aws/amazonq/default.json'),
      user('~/.aws/amazonq/mcp.json'),
    ],
  },
  {
    id: 'warp',
    title: 'Warp',
    sources: ['https://docs.warp.dev/agent-platform/capabilities/mcp'],
    files: [project('.warp/.mcp.json'), user('~/.warp/.mcp.json')],
    convert: fromWarp,
  },
  {
    id: 'opencode',
    title: 'opencode',
    sources: ['https://opencode.ai/docs/config', 'https://opencode.ai/docs/mcp-servers'],
    files: [
      project('opencode.json', ['mcp']),
      project('opencode.jsonc', ['mcp']),
      user(inConfig('opencode/opencode.json', '~/.config/opencode/opencode.json'), ['mcp']),
      user(inConfig('opencode/opencode.jsonc', '~/.config/opencode/opencode.jsonc'), ['mcp']),
    ],
    convert: fromOpencode,
  },
];

/**
 * Returns the host whose config a file is by its name, such as `.cursor/mcp.json`, or a `claude_desktop_config.json`
 * anywhere. undefined if it may be that of several, or of none.
 */
export function hostOfPath(path: string): Host | undefined {
  const names = path.toLowerCase().split(/[\\/]+/);
  const ranked = HOSTS.flatMap((host) =>
    host.files.flatMap((file) => writtenPaths(file).map((written) => ({ host, rank: rankOf(names, written, host) }))),
  );
  const most = Math.max(...ranked.map(({ rank }) => rank));
  const [first, ...others] = new Set(ranked.filter(({ rank }) => rank === most).map(({ host }) => host));
  return most > 0 && others.length === 0 ? first : undefined;
}

/** Counts the last names that a path shares with that of a config, if one of them is the host's own. */
function rankOf(names: readonly string[], written: string, { id }: Host): number {
  const own = written
    .toLowerCase()
    .split('/')
    .filter((name) => !/^[~$]/.test(name));
  const other = own.toReversed().findIndex((name, at) => name !== '*' && name !== names.at(-1 - at));
  // The path of a config in a project has no start of its own, so all of it is there.
  if (other === -1) return own.length + (/^[~$]/.test(written) ? 0 : 0.5);
  const isOwn = own
    .slice(own.length - other)
    .some((name) => name.startsWith('.') || name.includes(id.split('-', 1)[0]!));
  return other > 0 && isOwn ? other : 0;
}

function writtenPaths({ path }: HostFile): readonly string[] {
  return typeof path === 'string' ? [path] : Object.values(path);
}
