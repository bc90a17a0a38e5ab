import { join } from 'node:path';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { CATALOG, HTTP_CATALOG } from '../../e2e/servers/catalog.mjs';
import { ACTS, ACTS_OVER_HTTP, type Act } from './test-acts';

/** A server, how to reach it, and what to do there. */
export interface Trip {
  readonly name: string;
  /** The script and its arguments, for this Node. Its environment has the port. */
  words(port: number, folder: string): readonly string[];
  readonly acts: readonly Act[];
  readonly protocol?: ProtocolChoice;
  /** Path of its URL over HTTP, where it listens at $PORT. */
  readonly path?: string;
}

export const SERVERS = join(import.meta.dirname, '../../e2e/servers');
const SHOP = join(import.meta.dirname, '../connection/fixtures/shop-server.mjs');

/** Returns a server of the catalogue. The one that writes gets its own folder. */
const listed = (name: string) => (_: number, folder: string) => {
  const { args } = CATALOG.find((server) => server.name === name)!;
  return name === 'filesystem' ? [args[0]!, folder] : args;
};

/** Every server, each way it can be reached, in each of its eras. */
export const TRIPS: readonly Trip[] = [
  ...CATALOG.map(({ name }) => ({ name, words: listed(name), acts: ACTS[name]! })),
  { name: 'demo, legacy', words: listed('demo'), acts: ACTS['demo, legacy']!, protocol: '2025-11-25' },
  { name: 'demo, oldest', words: listed('demo'), acts: ACTS['demo, legacy']!, protocol: '2024-11-05' },
  {
    name: 'modern-dual, legacy',
    words: listed('modern-dual'),
    acts: ACTS['modern-dual, legacy']!,
    protocol: '2025-11-25',
  },
  { name: 'ask', words: () => [join(SERVERS, 'ask-server.mjs')], acts: ACTS.ask! },
  { name: 'shop', words: () => [SHOP], acts: ACTS.shop! },
  { name: 'forms', words: () => [join(SERVERS, 'forms-server.mjs')], acts: ACTS.forms! },
  ...HTTP_CATALOG.map(({ name, file, args, path }) => ({
    name: `${name} over HTTP`,
    words: (port: number) => [file, ...args(port)],
    acts: ACTS_OVER_HTTP[name]!,
    path,
  })),
];
