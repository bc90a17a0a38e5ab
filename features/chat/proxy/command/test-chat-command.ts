import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExitCode } from '@/proxy/cli/exit-code';
import { type CommandContext, parseCommandLine } from '@/proxy/cli/grammar';
import { styledText } from '@/proxy/cli/output';
import { COMMANDS } from '@/proxy/commands/registry';

export const ROOT = join(import.meta.dirname, '../../../..');
/** A config with the demo server (2026-07-28) and the tides server (2025-06-18). */
export const TWO_SERVERS = join(ROOT, 'examples/eval/mcp.json');

/** Runs a command without signals, and keeps what it prints. */
export async function runKept(
  command: (context: CommandContext, onSignals: () => void) => Promise<ExitCode>,
  argv: readonly string[],
): Promise<{ readonly code: ExitCode; readonly stdout: string; readonly notes: readonly string[] }> {
  const line = parseCommandLine(argv, COMMANDS, () => true);
  if (line.kind !== 'run') throw new Error(`It asks for ${line.kind}.`);
  const [stdout, notes]: [string[], string[]] = [[], []];
  const code = await command(
    {
      request: line.request,
      version: '1',
      home: join(ROOT, 'dist'),
      printText: (text) => stdout.push(text),
      printLines: (lines) => stdout.push(styledText(lines, false)),
      printNote: (text) => notes.push(text),
      status: { show: () => {}, end: () => {} },
    },
    () => {},
  );
  return { code, stdout: stdout.join('\n'), notes };
}

/** Tells what it was given as a secret: a variable, and the answer to a question. */
export const LEAKY_SERVER = `
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const say = (id, text) => send({ id, result: { content: [{ type: 'text', text }] } });
const question = {
  message: 'Sign in',
  requestedSchema: { type: 'object', properties: { password: { type: 'string' } }, required: ['password'] },
};
let call;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize')
    send({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'leaky' } } });
  else if (method === 'tools/list')
    send({ id, result: { tools: ['show_env', 'ask'].map((name) => ({ name, inputSchema: { type: 'object' } })) } });
  else if (method === 'tools/call' && params.name === 'show_env') say(id, process.env.DB_PASSWORD + ' it is');
  else if (method === 'tools/call') send({ id: 'q', method: 'elicitation/create', params: question }, (call = id));
  else if (id === 'q') say(call, result.content.password + ' it was');
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Unknown' } });
});
`;

/**
 * Writes a server whose results have secrets, its config, and an answer to its question, into a folder. All secrets
 * contain `canary`.
 */
export function writeLeakyServer(folder: string): { readonly config: string; readonly answers: string } {
  const [server, config, answers] = ['leaky.mjs', 'leaky.json', 'answers.json'].map((name) => join(folder, name));
  writeFileSync(server!, LEAKY_SERVER);
  const leaky = { command: process.execPath, args: [server], env: { DB_PASSWORD: 'hunter2-canary-given' } };
  writeFileSync(config!, JSON.stringify({ mcpServers: { leaky } }));
  const content = { password: 'hunter3-canary-typed' };
  writeFileSync(answers!, JSON.stringify({ 'elicitation/create': { result: { action: 'accept', content } } }));
  return { config: config!, answers: answers! };
}
