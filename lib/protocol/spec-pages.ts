import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { ALWAYS, isInVersion, LEGACY, MODERN, ONLY_2025_11, tableVersion, type VersionSpan } from './rows';

interface PageRow extends VersionSpan {
  /** Path after the version. */
  readonly path: string;
}

const same = (path: string): readonly PageRow[] => [{ ...ALWAYS, path }];
const moved = (legacy: string, modern: string): readonly PageRow[] => [
  { ...LEGACY, path: legacy },
  { ...MODERN, path: modern },
];

/** Versions with Streamable HTTP and a handshake. */
const LEGACY_HTTP: VersionSpan = { since: '2025-03-26', until: '2025-11-25' };
const HTTP_LEGACY = 'basic/transports';
const HTTP_MODERN = 'basic/transports/streamable-http';
/** The section of 2026-07-28 about the methods and headers that it removed. */
const REMOVED: PageRow = { ...MODERN, path: `${HTTP_MODERN}#earlier-streamable-http-revisions` };

const PAGES = {
  messages: same('basic'),
  lifecycle: moved('basic/lifecycle', 'basic/versioning'),
  stdio: moved('basic/transports#stdio', 'basic/transports/stdio'),
  http: [
    { since: '2024-11-05', until: '2024-11-05', path: 'basic/transports#http-with-sse' },
    { since: '2025-03-26', until: '2025-11-25', path: 'basic/transports#streamable-http' },
    { ...MODERN, path: 'basic/transports/streamable-http' },
  ],
  'http-send': [
    { ...LEGACY_HTTP, path: `${HTTP_LEGACY}#sending-messages-to-the-server` },
    { ...MODERN, path: `${HTTP_MODERN}#sending-messages` },
  ],
  'http-receive': [
    { ...LEGACY_HTTP, path: `${HTTP_LEGACY}#listening-for-messages-from-the-server` },
    { ...MODERN, path: `${HTTP_MODERN}#receiving-messages` },
  ],
  'http-get': [{ ...LEGACY_HTTP, path: `${HTTP_LEGACY}#listening-for-messages-from-the-server` }, REMOVED],
  'http-session': [{ ...LEGACY_HTTP, path: `${HTTP_LEGACY}#session-management` }, REMOVED],
  'http-version': [
    { since: '2025-06-18', until: '2025-11-25', path: `${HTTP_LEGACY}#protocol-version-header` },
    { ...MODERN, path: `${HTTP_MODERN}#protocol-version-header` },
  ],
  authorization: [{ since: '2025-03-26', path: 'basic/authorization' }],
  'http-validation': [{ ...MODERN, path: `${HTTP_MODERN}#server-validation` }],
  negotiation: moved('basic/lifecycle#version-negotiation', 'basic/versioning#protocol-version-negotiation'),
  extensions: [{ ...MODERN, path: 'basic/versioning#extension-negotiation' }],
  meta: [{ since: '2025-06-18', path: 'basic#meta' }],
  icons: [{ since: '2025-11-25', path: 'basic#icons' }],
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
  'tool-messages': [{ since: '2025-11-25', path: 'client/sampling#message-content-constraints' }],
  elicitation: [{ since: '2025-06-18', path: 'client/elicitation' }],
  forms: [{ since: '2025-06-18', path: 'client/elicitation#requested-schema' }],
} as const satisfies Record<string, readonly PageRow[]>;

/** A topic with its own page in the specification. */
export type SpecTopic = keyof typeof PAGES;

/**
 * Returns the address of a topic's page in a negotiated version, or in the nearest version that has it. undefined: in
 * the newest version.
 */
export function specPage(
  topic: SpecTopic,
  negotiated: string | undefined,
): { readonly section: string; readonly url: string } {
  const rows: readonly PageRow[] = PAGES[topic];
  const version = negotiated === undefined ? PROTOCOL_VERSIONS.at(-1)! : tableVersion(negotiated);
  const row = rows.find((each) => isInVersion(each, version)) ?? rows.at(-1)!;
  const { since, until = version } = row;
  const shown = version < since ? since : version > until ? until : version;
  return { section: `${shown} ${row.path}`, url: `https://modelcontextprotocol.io/specification/${shown}/${row.path}` };
}
