import type { DirectoryFile } from '@/features/host-judge';
import type { HostId } from './hosts';

/** Asked of each host that connects from its vendor's machines. */
const IN_ACCESS_LOG =
  'Does the access log of the server, and of what stands before it, have the requests of the host? A firewall or a challenge page for bots answers them without a line in the log of the server.';

interface Questions {
  readonly always?: readonly string[];
  /** For processes. */
  readonly process?: readonly string[];
  /** For servers that want a sign-in. */
  readonly signIn?: readonly string[];
  /** For a file of this kind. */
  readonly files?: { readonly [K in DirectoryFile['kind']]?: readonly string[] };
}

/** Questions to the server's author about what no frame, and no file, can show. */
export const HOST_QUESTIONS: { readonly [K in HostId]?: Questions } = {
  'claude.ai': {
    always: [`${IN_ACCESS_LOG} Its requests come from 160.79.104.0/21, as \`Claude-User\`.`],
    signIn: [
      'Does the authorization server accept https://claude.ai/api/mcp/auth_callback and https://claude.com/api/mcp/auth_callback as redirect URIs?',
      'Does the token endpoint answer 401 with `invalid_client` for a client that it no longer knows? Only then the host registers again.',
    ],
  },
  'claude-code': {
    signIn: [
      'Does the authorization server accept redirect URIs on both `localhost` and 127.0.0.1, with any port? Versions differ.',
    ],
  },
  'claude-desktop': {
    process: [
      'Are the paths of the entry absolute? The host does not start in the project’s folder, and has no shell’s PATH.',
    ],
  },
  chatgpt: {
    always: [IN_ACCESS_LOG],
    signIn: [
      'Does the authorization server accept the redirect URI that the app’s page shows? Each app has its own.',
      'Is a token accepted whose audience is the `resource` of the metadata, as it is written there?',
    ],
  },
  vscode: {
    signIn: [
      'Does the authorization server accept http://127.0.0.1 with any port, and https://vscode.dev/redirect, as redirect URIs?',
    ],
  },
  cursor: {
    signIn: [
      'Does the authorization server accept the redirect URI cursor://anysphere.cursor-mcp/oauth/callback? Some accept https only.',
    ],
  },
  'copilot-studio': { always: [IN_ACCESS_LOG] },
  'claude-directory': {
    always: [
      'Is there a privacy policy, at an address of the publisher?',
      'Are there 3 to 5 pictures of each app, as PNG, at least 1000 pixels wide, with the app’s answer only?',
      'Do the apps fit: at most 500 pixels high, no scrolling in them, readable in both themes?',
    ],
    files: {
      bundle: [
        'Does the README have a section about privacy? (https://support.claude.com/en/articles/12922832, 2026-11-30)',
        'Does the bundle have every package that the server needs, and run on macOS and on Windows?',
      ],
    },
  },
  'chatgpt-directory': {
    always: [
      'Is the person or business verified, with the permission to publish apps?',
      'Is there an account for the reviewer, without a second factor?',
      'Do the addresses for website, support, privacy and terms belong to the publisher?',
      'Does /.well-known/openai-apps-challenge of the server’s host answer with the token, as plain text?',
      'Are there at least 5 test cases that the app must handle, and 3 that it must not?',
    ],
  },
  registry: {
    files: {
      'server.json': [
        'Is the namespace before the slash of `name` yours: a GitHub account that you sign in with, or a domain that you prove?',
        'Does each package name the server: `mcpName` in a package.json, a line `mcp-name: NAME` in a README, or a label of the image?',
        'Was this version never published before? It can’t be changed afterwards.',
      ],
    },
  },
};
