import type { Command } from '@/proxy/cli/grammar';
import { CLIENT_OPTIONS, MODEL_OPTIONS, SERVER_OPTIONS } from '@/proxy/cli/options';

export const MODELS: readonly Command[] = [
  {
    name: 'chat',
    summary: 'chat with a model that calls the servers’ tools',
    usage: '--model PROVIDER:MODEL',
    words: [0, 0],
    server: 'optional',
    options: [
      ...MODEL_OPTIONS,
      { name: 'print', value: 'QUESTION', help: 'ask one question without a terminal, and print the answer' },
      { name: 'json', help: 'with --print: print answer, calls and tokens as one line of JSON' },
      { name: 'record', value: 'FILE', help: 'record the chat in this new file, and each server beside it' },
      { name: 'resume', value: 'FILE', help: 'go on with the chat in this recording' },
      { name: 'replay', value: 'FILE', help: 'run a recorded chat again, with its recorded model' },
      // Log messages of servers would disturb the chat.
      ...CLIENT_OPTIONS.filter(({ name }) => name !== 'log-level'),
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['mcp-inspect chat --model ollama:qwen3 --config .mcp.json', 'all servers of a config'],
      ['mcp-inspect chat --model openai:gpt-5-mini -- node s.js', 'its key is in OPENAI_API_KEY'],
      ['mcp-inspect chat --model scripted:r.yaml --print "Hi" --demo', 'one question'],
      ['mcp-inspect chat --replay a.mcpr.jsonl -- node server.js', 'what the model would see now'],
    ],
    notes: [
      'Without a server it uses ~/.mcp.json, and asks before it uses a .mcp.json of this directory.',
      'Each call waits for you, unless --allow names it. With --print, other calls are refused.',
      'docs/chat.md describes models, keys, scripts and the commands of the chat.',
      'Exit code 0: answered. 1: failed, cut short, or a replay differs. 2: usage. 3: no server.',
    ],
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
      { name: 'repeat', value: 'N', help: 'run each case N times (default 1)' },
      { name: 'jobs', value: 'N', help: 'N runs at a time (default 2)' },
      { name: 'json', help: 'print the report as one line of JSON' },
      { name: 'junit', value: 'FILE', help: 'also write a report for build servers (JUnit XML)' },
      { name: 'record', value: 'DIR', help: 'record each chat and each server in this new or empty folder' },
      { name: 'against', value: 'FILE', help: 'compare with this file, the --json of an earlier run' },
      { name: 'resume', value: 'ID', help: 'make the runs of a stopped eval that are missing' },
      { name: 'no-record', help: 'keep no results, so that this eval can’t be resumed' },
      { name: 'answers', value: 'FILE', help: 'answer what servers ask from this JSON file' },
      { name: 'allow-link-local', help: 'allow URLs with link-local addresses and cloud metadata' },
    ],
    examples: [
      ['mcp-inspect eval cases.yaml --model ollama:mistral-small --repeat 5', 'each case five times'],
      ['mcp-inspect eval cases.yaml --allow read-only --junit out.xml', 'call tools that declare it'],
      ['mcp-inspect eval cases.yaml --against before.json', 'compare with an earlier run'],
    ],
    notes: [
      'A cases file may name its config and models. It starts the servers of that config.',
      'Calls that --allow does not name are refused; the report lists them.',
      'Exit code 0: all runs passed. 1: a run failed, or could not be made. 2: usage.',
      '3: no run had its servers. 130: Ctrl-C stopped it. docs/evals.md has the format.',
    ],
    load: () => import('../eval/eval'),
  },
  {
    name: 'mcp',
    summary: 'show recordings to coding agents',
    usage: '[FILE|FOLDER…] [--allow-calls -- SERVER]',
    words: [0, Number.POSITIVE_INFINITY],
    server: 'optional',
    options: [
      { name: 'allow-calls', help: 'also let agents call the tools of the server that is named' },
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['mcp-inspect mcp', 'live connections and recordings, read-only'],
      ['mcp-inspect mcp ./recordings', 'also the recordings in this folder'],
      ['mcp-inspect mcp --allow-calls -- node server.js', 'also call the tools of this server'],
      ['mcp-inspect install claude-code --mcp', 'put it into the config of a host'],
    ],
    notes: [
      'It is an MCP server on stdin and stdout, which finds and explains problems, and compares runs.',
      'Answers have at most 2,000 tokens, and no secrets. docs/agents.md lists the tools.',
    ],
    load: () => import('../mcp/mcp'),
  },
];
