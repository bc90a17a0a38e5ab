import { ENTRY_OPTIONS } from '@/features/tap/proxy/command/entry-options';
import { ALLOW_OPTION, otelOption, replaced, SERVER_OPTIONS, STORE_OPTIONS } from '@/proxy/cli/options';
import type { Feature } from '../feature';

/** An MCP server with which coding agents look at recordings and live connections. */
export const agents: Feature = {
  name: 'agents',
  commands: {
    model: [
      {
        name: 'mcp',
        summary: 'show recordings to coding agents',
        usage: '[FILE…] [--allow WHICH -- SERVER]',
        words: [0, Number.POSITIVE_INFINITY],
        server: 'optional',
        options: [ALLOW_OPTION, ...STORE_OPTIONS, ...replaced(SERVER_OPTIONS, otelOption('off', 'receive'))],
        examples: [
          ['mcp', 'live connections and recordings, read-only'],
          ['mcp ./recordings', 'also the recordings in this folder'],
          ['mcp --allow read-only -- node server.js', 'also call its tools that declare it'],
          ['mcp add claude-code', 'put it into the config of a host'],
        ],
        notes: [
          'It is an MCP server on stdin and stdout, which finds and explains problems, and compares runs.',
          'Agents call no tool that --allow does not name. Answers have at most 2,000 tokens, and no secrets.',
        ],
        verbs: [
          {
            name: 'mcp add',
            summary: 'put `mcp-inspect mcp` into a host',
            usage: 'HOST',
            words: [1, 1],
            options: ENTRY_OPTIONS,
            examples: [['mcp add claude-code --dry-run', 'show what would change, and write nothing']],
            notes: ['It adds one entry and keeps a backup.'],
            docs: 'install',
            load: () => import('@/features/tap/proxy/command/own-entry'),
          },
          {
            name: 'mcp remove',
            summary: 'take `mcp-inspect mcp` out of a host',
            usage: 'HOST',
            words: [1, 1],
            options: ENTRY_OPTIONS,
            examples: [['mcp remove claude-code', 'its config is as before, to the byte']],
            load: () => import('@/features/tap/proxy/command/own-entry'),
          },
        ],
        docs: 'agents',
        load: () => import('./proxy/mcp'),
      },
    ],
  },
};
