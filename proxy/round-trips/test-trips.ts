import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { freePort, listens } from '@/proxy/connection/fixtures/ports';
import { CATALOG, HTTP_CATALOG } from '../../e2e/servers/catalog.mjs';
import { climbKillLadder } from '../process/kill-ladder';
import { Reaper } from '../process/reaper';
import { spawnServer } from '../process/spawn';
import { ACTS, ACTS_OVER_HTTP, type Act } from './test-acts';

/** A server, how to reach it, and the requests to make. */
export interface Trip {
  readonly name: string;
  /** Returns the script and its arguments, for this Node. The port is also in its environment. */
  args(port: number, folder: string): readonly string[];
  readonly acts: readonly Act[];
  readonly protocol?: ProtocolChoice;
  /** Ids of the problem rules that its session breaks on purpose, in the order found. */
  readonly breaks?: readonly string[];
  /** Path of its URL, if it is reached over HTTP. It then listens at $PORT. */
  readonly path?: string;
}

export const SERVERS = join(import.meta.dirname, '../../e2e/servers');
const SHOP = join(import.meta.dirname, '../connection/fixtures/shop-server.mjs');

/**
 * Returns the arguments of a server in the catalogue. The filesystem server gets its own folder, since it writes files.
 */
const listed = (name: string) => (_: number, folder: string) => {
  const { args } = CATALOG.find((server) => server.name === name)!;
  return name === 'filesystem' ? [args[0]!, folder] : args;
};

/** Every server, over every transport and in every era that it supports. */
export const TRIPS: readonly Trip[] = [
  ...CATALOG.map(({ name, breaks, slow }) => ({
    name,
    args: listed(name),
    acts: ACTS[name]!,
    breaks,
    // On a busy machine auto mode does not wait for a slow server's first response, and records both handshakes.
    ...(slow && { protocol: '2026-07-28' as const }),
  })),
  { name: 'demo, legacy', args: listed('demo'), acts: ACTS['demo, legacy']!, protocol: '2025-11-25' },
  { name: 'demo, oldest', args: listed('demo'), acts: ACTS['demo, legacy']!, protocol: '2024-11-05' },
  {
    name: 'modern-dual, legacy',
    args: listed('modern-dual'),
    acts: ACTS['modern-dual, legacy']!,
    protocol: '2025-11-25',
    breaks: ['icon-address'],
  },
  { name: 'ask', args: () => [join(SERVERS, 'ask-server.mjs')], acts: ACTS.ask! },
  // Its tasks are made up, and it does not declare them.
  { name: 'shop', args: () => [SHOP], acts: ACTS.shop!, breaks: ['field-missing', 'capability-undeclared'] },
  {
    name: 'forms',
    args: () => [join(SERVERS, 'forms-server.mjs')],
    acts: ACTS.forms!,
    breaks: ['field-missing', 'field-type', 'duplicate-entry', 'tool-schema'],
  },
  ...HTTP_CATALOG.map(({ name, file, args, path, breaks }) => ({
    name: `${name} over HTTP`,
    args: (port: number) => [file, ...args(port)],
    acts: ACTS_OVER_HTTP[name]!,
    path,
    breaks,
  })),
];

/** A trip's server, which can be connected to any number of times. */
export interface Served {
  readonly target: Target;
  close(): Promise<void>;
}

/** Returns the command of a stdio server. Starts a server that is reached over HTTP and waits until it listens. */
export async function serve({ args, path }: Trip, folder: string): Promise<Served> {
  const env = { MEMORY_FILE_PATH: `${folder}/memory.json` };
  const command = process.execPath;
  if (path === undefined) {
    const target: Target = { transport: 'stdio', command, args: [...args(0, folder)], env };
    return { target, close: async () => {} };
  }
  const port = await freePort();
  const { tree, child } = await spawnServer(
    { command, args: [...args(port, folder)], cwd: folder, env: { ...process.env, ...env, PORT: String(port) } },
    new Reaper(),
  );
  child.stdout.resume();
  child.stderr.resume();
  await vi.waitFor(async () => expect(await listens(port, 'localhost')).toBe(true), { timeout: 30_000 });
  return {
    target: { transport: 'auto', url: `http://localhost:${port}${path}` },
    close: async () => void (await climbKillLadder({ tree, endStdin: () => {} }, 'SIGTERM', systemClock, () => {})),
  };
}
