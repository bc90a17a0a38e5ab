import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const packages = fileURLToPath(new URL('./servers/node_modules/@modelcontextprotocol', import.meta.url));

/** A call of a tool, and how often it is made. */
type Call = readonly [tool: string, args: Record<string, unknown>, times: number];

/** A real server, and calls of a host. */
interface Session {
  readonly host: string;
  readonly server: 'filesystem' | 'everything' | 'memory';
  readonly calls: readonly Call[];
}

const COMMANDS: Readonly<Record<Session['server'], (folder: string) => readonly string[]>> = {
  filesystem: (folder) => [join(packages, 'server-filesystem/dist/index.js'), folder],
  everything: () => [join(packages, 'server-everything/dist/index.js'), 'stdio'],
  memory: () => [join(packages, 'server-memory/dist/index.js')],
};

/** Taps a session of the SDK's client with a real server. `bin`: our bin; `data`: the data folder of the tap. */
export async function tapSession(bin: string, data: string, { host, server, calls }: Session): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-e2e-'));
  writeFileSync(join(folder, 'a.txt'), 'hello');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'tap', '--host', host, '--', process.execPath, ...COMMANDS[server](folder)],
    env: { PATH: process.env.PATH ?? '', MCP_INSPECT_HOME: data, MEMORY_FILE_PATH: join(folder, 'memory.json') },
    stderr: 'ignore',
  });
  const client = new Client({ name: host, version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  for (const [name, args, times] of calls) {
    const given = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, value === 'FOLDER' ? folder : value]),
    );
    for (let round = 0; round < times; round++) await client.callTool({ name, arguments: given }).catch(() => {});
  }
  await client.close();
}
