import type { Command } from '@/proxy/cli/grammar';
import { CLIENT_OPTIONS, JUNIT_OPTION, MODEL_OPTIONS, SERVER_OPTIONS } from '@/proxy/cli/options';

export const MODELS: readonly Command[] = [
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
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['mcp-inspect chat --model ollama:qwen3 --config .mcp.json', 'all servers of a config'],
      ['mcp-inspect chat --model openai:gpt-5-mini -- node s.js', 'its key is in OPENAI_API_KEY'],
      ['mcp-inspect chat "Hi" --model scripted:r.yaml --demo', 'one question, without a terminal'],
      ['mcp-inspect chat --model recorded:a.mcpr.jsonl -- node server.js', 'what the model would see now'],
    ],
    notes: [
      'Without a server it uses ~/.mcp.json, and asks before it uses a .mcp.json of this directory.',
      'Each call waits for you, unless --allow names it. With a question, other calls are refused.',
      'Exit code 0: answered. 1: failed, cut short, or a replay differs. 2: usage. 3: no server.',
    ],
    docs: 'chat',
    load: () => import('../chat/chat'),
  },
  {
    name: 'eval',
    summary: 'measure whether a model picks the right tools',
    usage: '[CASES…]',
    words: [0, Number.POSITIVE_INFINITY],
    options: [
      ...MODEL_OPTIONS,
      {
        name: 'config',
        value: 'FILE',
        help: 'read servers from this file, not from the one that the cases name',
      },
      { name: 'input', value: 'NAME=VALUE', help: 'answer an input of the config; repeatable' },
      { name: 'protocol', value: 'VERSION', help: 'auto (default), or a version to use without probing' },
      { name: 'times', value: 'N', help: 'run each case N times (default 1)' },
      { name: 'jobs', value: 'N', help: 'N runs at a time (default 2)' },
      { name: 'json', help: 'print the report as one line of JSON' },
      JUNIT_OPTION,
      { name: 'out', value: 'FOLDER', help: 'record each chat and each server in this new or empty folder' },
      { name: 'record', value: 'off', help: 'keep no results, so that this eval can’t be resumed' },
      { name: 'baseline', value: 'FILE', help: 'compare with this file, the --json of an earlier run' },
      { name: 'resume', value: 'ID', help: 'make the runs of a stopped eval that are missing' },
      { name: 'answers', value: 'FILE', help: 'answer what servers ask from this JSON file' },
      { name: 'allow-link-local', help: 'allow URLs with link-local addresses and cloud metadata' },
    ],
    examples: [
      ['mcp-inspect eval cases.yaml --model ollama:mistral-small --times 5', 'each case five times'],
      ['mcp-inspect eval cases.yaml --allow read-only --report junit=out.xml', 'call tools that declare it'],
      ['mcp-inspect eval cases.yaml --baseline before.json', 'compare with an earlier run'],
    ],
    notes: [
      'A cases file may name its config and models. It starts the servers of that config.',
      'Calls that --allow does not name are refused; the report lists them.',
      'Exit code 0: all runs passed. 1: a run failed, or could not be made. 2: usage.',
      '3: no run had its servers. 130: Ctrl-C stopped it.',
    ],
    docs: 'evals',
    load: () => import('../eval/eval'),
  },
];
