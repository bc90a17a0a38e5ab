import { PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';
import { ALWAYS, isInVersion, LEGACY, MODERN, ONLY_2025_11, type Span } from './rows';

interface PageRow extends Span {
  /** Path after the version. */
  readonly path: string;
}

const same = (path: string): readonly PageRow[] => [{ ...ALWAYS, path }];
const moved = (legacy: string, modern: string): readonly PageRow[] => [
  { ...LEGACY, path: legacy },
  { ...MODERN, path: modern },
];

const PAGES = {
  messages: same('basic'),
  lifecycle: moved('basic/lifecycle', 'basic/versioning'),
  stdio: moved('basic/transports#stdio', 'basic/transports/stdio'),
  http: moved('basic/transports#streamable-http', 'basic/transports/streamable-http'),
  cancellation: moved('basic/utilities/cancellation', 'basic/patterns/cancellation'),
  progress: moved('basic/utilities/progress', 'basic/patterns/progress'),
  ping: [{ ...LEGACY, path: 'basic/utilities/ping' }],
  tasks: [{ ...ONLY_2025_11, path: 'basic/utilities/tasks' }],
  subscriptions: [{ ...MODERN, path: 'basic/patterns/subscriptions' }],
  input: [{ ...MODERN, path: 'basic/patterns/mrtr' }],
  discover: [{ ...MODERN, path: 'server/discover' }],
  caching: [{ ...MODERN, path: 'server/utilities/caching' }],
  tools: same('server/tools'),
  prompts: same('server/prompts'),
  resources: same('server/resources'),
  completion: same('server/utilities/completion'),
  logging: same('server/utilities/logging'),
  pagination: same('server/utilities/pagination'),
  sampling: same('client/sampling'),
  roots: same('client/roots'),
  elicitation: [{ since: '2025-06-18', path: 'client/elicitation' }],
} as const satisfies Record<string, readonly PageRow[]>;

/** A topic with its own page in the specification. */
export type SpecTopic = keyof typeof PAGES;

/** Returns the address of a topic's page in this version, or in the nearest version that has it. */
export function specPage(
  topic: SpecTopic,
  version: ProtocolVersion,
): { readonly section: string; readonly url: string } {
  const rows: readonly PageRow[] = PAGES[topic];
  const row = rows.find((each) => isInVersion(each, version)) ?? rows.at(-1)!;
  const shown = isInVersion(row, version)
    ? version
    : (row.until ?? PROTOCOL_VERSIONS.findLast((known) => known >= row.since)!);
  return { section: `${shown} ${row.path}`, url: `https://modelcontextprotocol.io/specification/${shown}/${row.path}` };
}
