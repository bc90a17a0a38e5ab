import { describe, expect, test } from 'vitest';
import type { Target } from '@/lib/wire/command';
import { type Machine, userPath } from './host-places';
import { FOLDER_VARIABLES, HOSTS, type Host, type HostFile } from './hosts';
import { formatOf } from './parse-config';
import { findIn, testHome } from './test-home';

const NPX = { command: 'npx', args: ['-y', 'files'] };
const STARTS: Partial<Target> = { transport: 'stdio', ...NPX };
const server = { files: { ...NPX, env: { KEY: 'secret' } } };

/** A config as each host writes it, and the server that is found in it. */
const CONFIGS: [host: string, path: string, config: string | object, expected?: object][] = [
  ['mcp-json', '.mcp.json', { mcpServers: server }],
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', { globalShortcut: '', mcpServers: server }],
  [
    'claude-code',
    '.claude.json',
    { numStartups: 3, mcpServers: server, projects: { '/elsewhere': { mcpServers: {} } } },
  ],
  ['claude-code', '.claude.json', { projects: { '{home}': { mcpServers: server } } }],
  ['cursor', '.cursor/mcp.json', { mcpServers: server }],
  [
    'vscode',
    '.vscode/mcp.json',
    '{ // VS Code\n"servers": {"files": {"type": "stdio", "command": "npx", "args": ["-y", "files"],},}, }',
  ],
  ['vscode', '.config/Code/User/mcp.json', { inputs: [], servers: server }],
  ['vscode', '.config/Code/User/settings.json', { 'editor.tabSize': 2, mcp: { servers: server } }],
  ['vscode', '.config/Code - Insiders/User/settings.json', { 'mcp.servers': server }],
  ['windsurf', '.config/devin/mcp_config.json', { mcpServers: server }],
  [
    'windsurf',
    '.codeium/windsurf/mcp_config.json',
    { mcpServers: { files: { serverUrl: 'https://h/mcp', headers: { A: 'b' } } } },
    { target: { transport: 'auto', url: 'https://h/mcp', headers: { A: 'b' } } },
  ],
  ['windsurf', '.codeium/mcp_config.json', { mcpServers: server }],
  [
    'zed',
    '.config/zed/settings.json',
    `// Zed\n{"context_servers": ${JSON.stringify({ files: { source: 'custom', ...NPX } })},}`,
  ],
  [
    'zed',
    '.config/zed/settings.json',
    {
      context_servers: {
        files: { command: { path: 'npx', args: NPX.args, env: { KEY: 'v' } } },
        ext: { settings: {} },
      },
    },
    { target: { ...STARTS, env: { KEY: 'v' } } },
  ],
  [
    'cline',
    '.cline/data/settings/cline_mcp_settings.json',
    { mcpServers: { files: { ...NPX, disabled: true } } },
    { disabled: true },
  ],
  [
    'cline',
    '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    { mcpServers: server },
  ],
  [
    'roo',
    '.roo/mcp.json',
    { mcpServers: { files: { type: 'streamable-http', url: 'https://h/mcp' } } },
    { target: { transport: 'http' } },
  ],
  [
    'roo',
    '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    { mcpServers: server },
  ],
  [
    'continue',
    '.continue/config.yaml',
    'name: mine\nmcpServers:\n  - name: files\n    command: npx\n    args: [-y, files]\n',
  ],
  [
    'continue',
    '.continue/config.yaml',
    'mcpServers:\n- {name: files, type: sse, url: "https://h", requestOptions: {headers: {A: "${{ secrets.KEY }}"}}}',
    { target: { transport: 'sse', url: 'https://h', headers: { A: '${KEY}' } } },
  ],
  ['continue', '.continue/mcpServers/all.json', { mcpServers: server }],
  ['continue', '.continue/mcpServers/files.json', NPX],
  ['codex', '.codex/config.toml', 'model = "x"\n[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "files"]\n'],
  [
    'codex',
    '.codex/config.toml',
    '[mcp_servers.files]\ncommand = "npx"\nenabled = false\nenv_vars = ["A", {name = "B", source = "local"}]\n[mcp_servers.files.env]\nC = "1"',
    { target: { env: { A: '${A:-}', B: '${B:-}', C: '1' } }, disabled: true },
  ],
  [
    'codex',
    '.codex/config.toml',
    '[mcp_servers.files]\nurl = "https://h"\nbearer_token_env_var = "T"\nhttp_headers = {A = "b"}\nenv_http_headers = {C = "D"}',
    { target: { url: 'https://h', headers: { A: 'b', C: '${D}', Authorization: 'Bearer ${T}' } } },
  ],
  [
    'gemini',
    '.gemini/settings.json',
    { mcpServers: { files: { httpUrl: 'https://h/$PATH_PART', headers: { A: '${B}' } } } },
    { target: { transport: 'http', url: 'https://h/${PATH_PART}', headers: { A: '${B}' } } },
  ],
  ['lm-studio', '.lmstudio/mcp.json', { mcpServers: server }],
  ['junie', '.junie/mcp/mcp.json', { mcpServers: server }],
  [
    'goose',
    '.config/goose/config.yaml',
    'GOOSE_MODE: auto\nextensions:\n  developer: {type: builtin, enabled: true}\n  files:\n    type: stdio\n    cmd: npx\n    args: [-y, files]\n    enabled: false\n    envs: {A: b}\n    env_keys: [TOKEN]\n',
    { target: { ...STARTS, env: { TOKEN: '${TOKEN}', A: 'b' } }, disabled: true },
  ],
  [
    'goose',
    '.config/goose/config.yaml',
    'extensions: {files: {type: streamable_http, uri: "https://h/mcp", headers: {A: b}}}',
    { target: { transport: 'http', url: 'https://h/mcp', headers: { A: 'b' } } },
  ],
  ['amazon-q', '.aws/amazonq/mcp.json', { mcpServers: server }],
  ['amazon-q', '.amazonq/default.json', { mcpServers: server }],
  [
    'warp',
    '.warp/.mcp.json',
    { mcpServers: { files: { ...NPX, working_directory: '/srv' } } },
    { target: { cwd: '/srv' } },
  ],
  [
    'opencode',
    '.config/opencode/opencode.json',
    {
      mcp: { files: { type: 'local', command: ['npx', '-y', '{env:WHAT}'], environment: { A: 'b' }, enabled: false } },
    },
    { target: { command: 'npx', args: ['-y', '${env:WHAT}'], env: { A: 'b' } }, disabled: true },
  ],
  [
    'opencode',
    'opencode.jsonc',
    '{ /* mine */ "mcp": {"files": {"type": "remote", "url": "https://h/mcp", "oauth": false}}, }',
    { target: { transport: 'auto', url: 'https://h/mcp' } },
  ],
];

test.each(CONFIGS)('finds a server of %s in %s', async (host, path, config, expected = { target: STARTS }) => {
  const { names, servers, skipped } = await findIn(testHome({ [path]: config }));
  expect({ names, skipped }).toEqual({ names: [`${host}/files`], skipped: [] });
  expect(servers[0]!.entry).toMatchObject({ name: 'files', ...expected });
});

test('every host is tried', () => {
  expect(new Set(CONFIGS.map(([host]) => host))).toEqual(new Set(HOSTS.map(({ id }) => id)));
});

describe('the path of a config', () => {
  const file = (host: string, index = 0): HostFile =>
    HOSTS.find(({ id }) => id === host)!.files.filter(({ project }) => !project)[index]!;
  const linux: Machine = { platform: 'linux', home: '/home/me', environment: {} };
  const macos: Machine = { platform: 'darwin', home: '/Users/me', environment: {} };
  const windows: Machine = { platform: 'win32', home: 'C:\\Users\\me', environment: { APPDATA: 'D:\\Roaming' } };

  test.each([
    ['claude-desktop', macos, '/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', windows, 'D:\\Roaming\\Claude\\claude_desktop_config.json'],
    [
      'claude-desktop',
      { ...windows, environment: {} },
      'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ],
    ['vscode', linux, '/home/me/.config/Code/User/mcp.json'],
    ['vscode', { ...linux, environment: { XDG_CONFIG_HOME: '/etc/me' } }, '/etc/me/Code/User/mcp.json'],
    ['vscode', { ...linux, environment: { XDG_CONFIG_HOME: 'relative' } }, '/home/me/.config/Code/User/mcp.json'],
    ['zed', macos, '/Users/me/.config/zed/settings.json'],
    ['zed', windows, 'D:\\Roaming\\Zed\\settings.json'],
    ['goose', windows, 'D:\\Roaming\\Block\\goose\\config\\config.yaml'],
    ['codex', { ...macos, environment: { CODEX_HOME: '/c' } }, '/c/config.toml'],
    ['codex', windows, 'C:\\Users\\me\\.codex\\config.toml'],
    ['claude-code', linux, '/home/me/.claude.json'],
    ['opencode', windows, 'C:\\Users\\me\\.config\\opencode\\opencode.json'],
  ])('of %s on %o', (host, machine, path) => {
    expect(userPath(file(host), machine)).toBe(path);
  });
});

test('docs/hosts/configs.md lists every config (vitest --update rewrites it)', async () => {
  await expect(hostsDocument()).toMatchFileSnapshot('../../docs/hosts/configs.md');
});

/** Returns the list of hosts as Markdown. */
function hostsDocument(): string {
  const rows = HOSTS.flatMap((host) => host.files.map((file, index) => rowOf(host, file, index === 0)));
  const variables = Array.from(FOLDER_VARIABLES, ([name, folder]) => `\`$${name}\` is \`${folder}\``).join(', ');
  return [
    '# Hosts',
    '',
    '<!-- Written by proxy/servers/hosts.test.ts. -->',
    '',
    'mcp-inspect finds servers in these configs ([how](../configs.md#servers-on-this-machine)). Only [install](../install.md) changes them. Of one host, the files that it',
    'prefers come first.',
    '',
    '- `~` is the home folder.',
    '- `project` is the working directory or a folder above it, up to the root of the repository. Without a repository, only the working directory.',
    `- Unless the variable is set: ${variables}.`,
    '',
    '| host | Linux | macOS | Windows | format | key | source |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function rowOf({ id, title, sources }: Host, file: HostFile, isFirst: boolean): string {
  const { path, key, project } = file;
  const paths = typeof path === 'string' ? [path, path, path] : [path.linux, path.macos, path.windows];
  const shown = paths.map((one) => code(project ? `project/${one}` : one));
  const [first] = shown;
  const [linux, macos, windows] = shown.every((one) => one === first) ? [first, 'the same', 'the same'] : shown;
  const format = String(path).endsWith('*') ? 'YAML, JSON' : formatOf(paths[0]!).toUpperCase();
  const links = sources.map((url, index) => `[${index + 1}](${url})`).join(' ');
  const host = isFirst ? `**${title}** ${code(id)}` : '';
  return `| ${[host, linux, macos, windows, format, code(key.join('.')), isFirst ? links : ''].join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}
