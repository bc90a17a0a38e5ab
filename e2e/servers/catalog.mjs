import { join } from 'node:path';

/**
 * @typedef {object} CatalogEntry
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {'legacy' | 'modern'} era The era that auto mode must find.
 * @property {number} minTools Fewest tools `tools/list` may have.
 * @property {boolean} [slow] Its first response takes seconds.
 * @property {string} [cwd]
 * @property {string[]} [breaks] Ids of the problem rules that its tool list breaks on purpose.
 */

const here = import.meta.dirname;
const demo = join(here, '..', '..', 'examples', 'demo-server');

/** @param {string} name @param {string[]} path */
const bin = (name, ...path) => join(here, 'node_modules', ...name.split('/'), ...path);

/**
 * The stdio servers that tests loop over, run by this Node. All start and list their tools offline, after `npm ci`
 * here.
 *
 * @type {readonly CatalogEntry[]}
 */
export const CATALOG = [
  { name: 'demo', args: [join(demo, 'server.mjs')], era: 'modern', minTools: 20 },
  {
    name: 'everything',
    args: [bin('@modelcontextprotocol/server-everything', 'dist', 'index.js'), 'stdio'],
    era: 'legacy',
    minTools: 12, // the server adds a tool after the handshake, perhaps after the list was read
  },
  // This server can write to its folder. Tests that call its tools pass another folder.
  {
    name: 'filesystem',
    args: [bin('@modelcontextprotocol/server-filesystem', 'dist', 'index.js'), join(here, 'files')],
    era: 'legacy',
    minTools: 14,
  },
  {
    name: 'memory',
    args: [bin('@modelcontextprotocol/server-memory', 'dist', 'index.js')],
    era: 'legacy',
    minTools: 9,
  },
  {
    name: 'sequential-thinking',
    args: [bin('@modelcontextprotocol/server-sequential-thinking', 'dist', 'index.js')],
    era: 'legacy',
    minTools: 1,
  },
  // Lists its tools without a browser, which is not installed.
  { name: 'playwright', args: [bin('@playwright/mcp', 'cli.js')], era: 'legacy', minTools: 20 },
  { name: 'shadcn', args: [bin('shadcn', 'dist', 'index.js'), 'mcp'], era: 'modern', minTools: 5, slow: true },
  {
    name: 'modern-dual',
    args: [join(here, 'modern-server.mjs'), 'dual'],
    era: 'modern',
    minTools: 6,
    breaks: ['icon-address'],
  },
  {
    name: 'modern-reject',
    args: [join(here, 'modern-server.mjs'), 'reject'],
    era: 'modern',
    minTools: 6,
    breaks: ['icon-address'],
  },
].map((entry) => ({ command: process.execPath, ...entry }));

/**
 * @typedef {object} HttpCatalogEntry
 * @property {string} name
 * @property {string} file
 * @property {(port: number) => string[]} args The port is also in its environment.
 * @property {string} path
 * @property {'Streamable HTTP' | 'HTTP+SSE'} transport The transport that auto mode must find.
 * @property {'legacy' | 'modern'} era
 * @property {number} minTools
 * @property {string[]} [breaks] Ids of the problem rules that its tool list breaks on purpose.
 */

const everything = bin('@modelcontextprotocol/server-everything', 'dist', 'index.js');
const playwright = bin('@playwright/mcp', 'cli.js');
const modern = join(here, 'modern-server.mjs');

/**
 * The servers that tests reach by a URL.
 *
 * @type {readonly HttpCatalogEntry[]}
 */
export const HTTP_CATALOG = [
  {
    name: 'everything',
    file: everything,
    args: () => ['streamableHttp'],
    path: '/mcp',
    transport: 'Streamable HTTP',
    era: 'legacy',
    minTools: 13,
  },
  {
    name: 'everything-sse',
    file: everything,
    args: () => ['sse'],
    path: '/sse',
    transport: 'HTTP+SSE',
    era: 'legacy',
    minTools: 13,
  },
  {
    name: 'playwright',
    file: playwright,
    args: (port) => ['--port', String(port)],
    path: '/mcp',
    transport: 'Streamable HTTP',
    era: 'legacy',
    minTools: 20,
  },
  {
    name: 'playwright-sse',
    file: playwright,
    args: (port) => ['--port', String(port)],
    path: '/sse',
    transport: 'HTTP+SSE',
    era: 'legacy',
    minTools: 20,
  },
  {
    name: 'modern-dual',
    file: modern,
    args: () => ['dual', 'http'],
    path: '/mcp',
    transport: 'Streamable HTTP',
    era: 'modern',
    minTools: 6,
    breaks: ['icon-address'],
  },
  {
    name: 'modern-reject',
    file: modern,
    args: () => ['reject', 'http'],
    path: '/mcp',
    transport: 'Streamable HTTP',
    era: 'modern',
    minTools: 6,
    breaks: ['icon-address'],
  },
];
