/** A host about which facts are known. */
export interface JudgedHost {
  /** The id that its configs and taps have, if it has any. */
  readonly id: string;
  readonly title: string;
  /** It connects from its vendor's machines, so it reaches public addresses only. */
  readonly isCloud: boolean;
  /** It takes processes nonetheless, as bundles for people's machines. */
  readonly takesBundles?: true;
  /** It lists servers, and asks for more than a host. */
  readonly isDirectory?: true;
  /** It judges files alone, so no session decides anything. */
  readonly isOfFiles?: true;
}

/** The hosts, those that most people ask about first. */
export const JUDGED_HOSTS = [
  {
    id: 'claude.ai',
    title: 'claude.ai',
    isCloud: true,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    isCloud: false,
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    isCloud: false,
  },
  {
    id: 'chatgpt',
    title: 'ChatGPT',
    isCloud: true,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    isCloud: false,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    isCloud: false,
  },
  { id: 'codex', title: 'Codex', isCloud: false },
  { id: 'gemini', title: 'Gemini CLI', isCloud: false },
  { id: 'windsurf', title: 'Windsurf', isCloud: false },
  { id: 'zed', title: 'Zed', isCloud: false },
  { id: 'goose', title: 'Goose', isCloud: false },
  { id: 'copilot-studio', title: 'Copilot Studio', isCloud: true },
  { id: 'claude-api', title: 'the Claude API', isCloud: false },
  { id: 'openai-api', title: 'the OpenAI API', isCloud: false },
  { id: 'openai-agents', title: 'the OpenAI Agents SDK', isCloud: false },
  {
    id: 'claude-directory',
    title: 'the Claude directory',
    isCloud: true,
    takesBundles: true,
    isDirectory: true,
  },
  {
    id: 'chatgpt-directory',
    title: 'the ChatGPT directory',
    isCloud: true,
    isDirectory: true,
  },
  {
    id: 'registry',
    title: 'the MCP registry',
    isCloud: false,
    isDirectory: true,
    isOfFiles: true,
  },
] as const satisfies readonly JudgedHost[];

export type HostId = (typeof JUDGED_HOSTS)[number]['id'];

/** Ids of the hosts that sessions are judged for. */
export const SESSION_HOSTS: readonly HostId[] = JUDGED_HOSTS.flatMap((host) => ('isOfFiles' in host ? [] : [host.id]));

/** Returns a host by its id. */
export function hostOf(id: HostId): JudgedHost {
  return JUDGED_HOSTS.find((host) => host.id === id)!;
}
