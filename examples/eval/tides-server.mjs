#!/usr/bin/env node
// @ts-check
// A small MCP server over stdio, without dependencies: the tides of three ports. It speaks 2025-06-18.
import { createInterface } from 'node:readline';

/** Minutes after midnight of the first high water, by port. @type {Readonly<Record<string, number>>} */
const FIRST_HIGH_WATER = { Stromness: 140, Kirkwall: 215, Lerwick: 305 };
/** Minutes from one high water to the next. */
const TIDE = 745;

const PORT = { type: 'string', enum: Object.keys(FIRST_HIGH_WATER), description: 'The port.' };

/** @type {readonly { name: string, run(args: any): string, [member: string]: unknown }[]} */
const TOOLS = [
  {
    name: 'next_high_water',
    description: 'Tells when the next high water of a port is.',
    inputSchema: {
      type: 'object',
      properties: {
        port: PORT,
        after: { type: 'string', pattern: '^\\d\\d:\\d\\d$', description: 'A time, as 14:30.' },
      },
      required: ['port', 'after'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: ({ port, after }) => {
      const [hours = 0, minutes = 0] = String(after).split(':').map(Number);
      let at = FIRST_HIGH_WATER[port] ?? 0;
      while (at < hours * 60 + minutes) at += TIDE;
      const time = [Math.floor(at / 60) % 24, at % 60].map((part) => String(part).padStart(2, '0')).join(':');
      return `High water in ${port} is at ${time}.`;
    },
  },
  {
    name: 'book_berth',
    description: 'Books a berth for a ship. The harbour master charges for it.',
    inputSchema: { type: 'object', properties: { port: PORT, ship: { type: 'string' } }, required: ['port', 'ship'] },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    run: ({ port, ship }) => `A berth in ${port} is booked for ${ship}.`,
  },
];

/** Answers requests by method. @type {Readonly<Record<string, (params: any) => object>>} */
const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'tides', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: TOOLS.map(({ run: _, ...tool }) => tool) }),
  'tools/call': ({ name, arguments: args }) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    return { content: [{ type: 'text', text: tool.run(args ?? {}) }] };
  },
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) })}\n`);
  })
  .on('close', () => process.exit(0));

/** @param {string} method @param {unknown} params */
function answer(method, params) {
  const run = METHODS[method];
  if (!run) return { error: { code: -32601, message: 'Method not found' } };
  try {
    return { result: run(params ?? {}) };
  } catch (error) {
    return { error: { code: -32602, message: /** @type {Error} */ (error).message } };
  }
}
