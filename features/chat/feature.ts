import { CLIENT_OPTIONS, SERVER_OPTIONS, STORE_OPTIONS } from '@/proxy/cli/options';
import type { Feature } from '../feature';
import { MODEL_OPTIONS } from './proxy/command-options';

/** Models that call the tools of servers, and reply to their sampling requests. */
export const chat: Feature = {
  name: 'chat',
  commands: {
    model: [
      {
        name: 'chat',
        summary: 'chat with a model that calls the servers’ tools',
        usage: '[QUESTION] --model PROVIDER:MODEL',
        words: [0, 1],
        server: 'optional',
        options: [
          ...MODEL_OPTIONS,
          { name: 'json', help: 'with a question: print answer, calls and tokens as one line of JSON' },
          { name: 'record', value: 'FILE', help: 'record the chat in this new file, and each server beside it' },
          { name: 'resume', value: 'FILE', help: 'go on with the chat in this recording' },
          // Log messages of servers would disturb the chat.
          ...CLIENT_OPTIONS.filter(({ name }) => name !== 'log-level'),
          ...STORE_OPTIONS,
          ...SERVER_OPTIONS,
        ],
        examples: [
          ['chat --model ollama:qwen3 --config .mcp.json', 'all servers of a config'],
          ['chat --model openai:gpt-5-mini -- node s.js', 'its key is in OPENAI_API_KEY'],
          ['chat "Hi" --model scripted:r.yaml --demo', 'one question, without a terminal'],
          ['chat --model recorded:a.mcpr.jsonl -- node server.js', 'what the model would see now'],
        ],
        notes: [
          'Without a server it uses ~/.mcp.json, and asks before it uses a .mcp.json of this directory.',
          'Each call waits for you, unless --allow names it. With a question, other calls are refused.',
          'Exit code 0: answered. 1: failed, cut short, or a replay differs. 2: usage. 3: no server.',
        ],
        docs: 'chat',
        load: () => import('./proxy/command/chat'),
      },
    ],
  },
  serve: () => import('./proxy/page-part'),
};
