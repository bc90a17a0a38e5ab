import { join } from 'node:path';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { CATALOG, HTTP_CATALOG } from '../../e2e/servers/catalog.mjs';
import { ACTS, ACTS_OVER_HTTP, type Act } from './test-acts';

/** A server, how it is reached, and what is done there. */
export interface Trip {
  readonly name: string;
  /** The script and its arguments, for this Node. It has the port in its environment, too. */
  words(port: number, folder: string): readonly string[];
  readonly acts: readonly Act[];
  readonly protocol?: ProtocolChoice;
  /** Of its URL, if it is reached over HTTP: it then listens at $PORT. */
  readonly path?: string;
}

export const SERVERS = join(import.meta.dirname, '../../e2e/servers');
const SHOP = join(import.meta.dirname, '../connection/fixtures/shop-server.mjs');

/** The server of the catalogue; the one that writes gets a folder of its own. */
const listed = (name: string) => (_: number, folder: string) => {
  const { args } = CATALOG.find((server) => server.name === name)!;
  return name === 'filesystem' ? [args[0]!, folder] : args;
};

/** Every server there is, each way it can be reached, in each era that it has. */
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
