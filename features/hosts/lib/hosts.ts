/** A host about which facts are known. */
export interface JudgedHost {
  /** The id that its configs and taps have, if it has any. */
  readonly id: string;
  readonly title: string;
  /** It connects from its vendor's machines, so it reaches public addresses only. */
  readonly isCloud: boolean;
  /** It lists servers, and asks for more than a host. */
  readonly isDirectory?: true;
  /** Questions to the server's author about what no frame can show. */
  readonly questions?: readonly string[];
  /** The same about a sign-in, for servers that want one. */
  readonly signInQuestions?: readonly string[];
}

/** Asked of each host that connects from its vendor's machines. */
const IN_ACCESS_LOG =
  'Does the access log of the server, and of what stands before it, have the requests of the host? A firewall or a challenge page for bots answers them without a line in the log of the server.';

/** The hosts, those that most people ask about first. */
export const JUDGED_HOSTS = [
  {
    id: 'claude.ai',
    title: 'claude.ai',
    isCloud: true,
    questions: [`${IN_ACCESS_LOG} Its requests come from 160.79.104.0/21, as \`Claude-User\`.`],
    signInQuestions: [
      'Does the authorization server accept https://claude.ai/api/mcp/auth_callback and https://claude.com/api/mcp/auth_callback as redirect URIs?',
      'Does the token endpoint answer 401 with `invalid_client` for a client that it no longer knows? Only then the host registers again.',
    ],
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    isCloud: false,
    signInQuestions: [
      'Does the authorization server accept redirect URIs on both `localhost` and 127.0.0.1, with any port? Versions differ.',
    ],
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    isCloud: false,
    questions: [
      'Does the server need variables that the entry in the config does not set? The host passes few on.',
      'Are the paths of the entry absolute? The host does not start in the project’s folder, and has no shell’s PATH.',
    ],
  },
  {
    id: 'chatgpt',
    title: 'ChatGPT',
    isCloud: true,
    questions: [IN_ACCESS_LOG],
    signInQuestions: [
      'Does the authorization server accept the redirect URI that the app’s page shows? Each app has its own.',
      'Is a token accepted whose audience is the `resource` of the metadata, as it is written there?',
    ],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    isCloud: false,
    signInQuestions: [
      'Does the authorization server accept http://127.0.0.1 with any port, and https://vscode.dev/redirect, as redirect URIs?',
    ],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    isCloud: false,
    signInQuestions: [
      'Does the authorization server accept the redirect URI cursor://anysphere.cursor-mcp/oauth/callback? Some accept https only.',
    ],
  },
  { id: 'codex', title: 'Codex', isCloud: false },
  { id: 'gemini', title: 'Gemini CLI', isCloud: false },
  { id: 'windsurf', title: 'Windsurf', isCloud: false },
  { id: 'zed', title: 'Zed', isCloud: false },
  { id: 'goose', title: 'Goose', isCloud: false },
  { id: 'copilot-studio', title: 'Copilot Studio', isCloud: true, questions: [IN_ACCESS_LOG] },
  { id: 'claude-api', title: 'the Claude API', isCloud: false },
  { id: 'openai-api', title: 'the OpenAI API', isCloud: false },
  { id: 'openai-agents', title: 'the OpenAI Agents SDK', isCloud: false },
  {
    id: 'claude-directory',
    title: 'the Claude directory',
    isCloud: false,
    isDirectory: true,
    questions: [
      'Is there a privacy policy, at an address of the publisher?',
      'Are there 3 to 5 pictures of each app, as PNG, at least 1000 pixels wide, with the app’s answer only?',
      'Do the apps fit: at most 500 pixels high, no scrolling in them, readable in both themes?',
    ],
  },
  {
    id: 'chatgpt-directory',
    title: 'the ChatGPT directory',
    isCloud: true,
    isDirectory: true,
    questions: [
      'Is the person or business verified, with the permission to publish apps?',
      'Is there an account for the reviewer, without a second factor?',
      'Do the addresses for website, support, privacy and terms belong to the publisher?',
      'Does /.well-known/openai-apps-challenge of the server’s host answer with the token, as plain text?',
      'Are there at least 5 test cases that the app must handle, and 3 that it must not?',
    ],
  },
] as const satisfies readonly JudgedHost[];

export type HostId = (typeof JUDGED_HOSTS)[number]['id'];

/** Returns a host by its id. */
export function hostOf(id: HostId): JudgedHost {
  return JUDGED_HOSTS.find((host) => host.id === id)!;
}
