// @ts-check
import { say } from '../content.mjs';
import { RpcError } from '../errors.mjs';

/** @type {ReadonlyMap<string, () => void>} */
const FALLS = new Map([
  ['exit', () => process.exit(1)],
  ['signal', () => void process.kill(process.pid, 'SIGKILL')],
  [
    'exception',
    () => {
      // Outside of the call, or it would become an error response.
      setImmediate(() => {
        throw new Error('Man overboard');
      });
    },
  ],
]);

/** Tools that do what servers should not. @type {readonly import('../tools.mjs').Tool[]} */
export const TROUBLE_TOOLS = [
  {
    name: 'row_in_gale',
    title: 'Row out in a gale',
    description: 'Fails as a tool should: a result with isError, which a model can read.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    run: () => ({
      ...say('The boat came back without getting anywhere. Wait for the wind to drop below 20 knots.'),
      isError: true,
    }),
  },
  {
    name: 'drop_lens',
    title: 'Drop the lens',
    description: 'Fails as a server may: a protocol error, -32603, with data.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    run: () => {
      throw new RpcError(-32603, 'The lens is in pieces', { pieces: 1024, made: 1887, insured: false });
    },
  },
  {
    name: 'mutter',
    title: 'Mutter',
    description: 'Writes lines to stderr, which is no error.',
    inputSchema: {
      type: 'object',
      properties: {
        lines: { type: 'integer', minimum: 1, maximum: 10_000, default: 3 },
        words: { type: 'string', default: 'who moved the oil can' },
      },
    },
    annotations: { readOnlyHint: true },
    run: ({ lines = 3, words = 'who moved the oil can' }) => {
      for (let line = 1; line <= lines; line++) process.stderr.write(`[keeper] ${words} (${line})\n`);
      return say('Nobody heard it on stdout.');
    },
  },
  {
    name: 'shout',
    title: 'Shout down the stairs',
    description: 'Prints a line to stdout that is not JSON, as a forgotten console.log does.',
    inputSchema: {
      type: 'object',
      properties: { words: { type: 'string', default: 'Tea is ready!' } },
    },
    annotations: { readOnlyHint: true },
    run: ({ words = 'Tea is ready!' }) => {
      process.stdout.write(`${words}\n`);
      return say('Everybody heard it, the protocol too.');
    },
  },
  {
    name: 'fall_into_sea',
    title: 'Fall into the sea',
    description: 'Ends the server in the middle of the call.',
    inputSchema: {
      type: 'object',
      properties: {
        how: {
          description: 'What the client sees of it.',
          default: 'exit',
          oneOf: [
            { const: 'exit', title: 'Exit with code 1' },
            { const: 'signal', title: 'Killed by a signal' },
            { const: 'exception', title: 'An uncaught exception, with a stack on stderr' },
          ],
        },
      },
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: ({ how = 'exit' }, call) => {
      process.stderr.write('[keeper] mind the ed\n');
      FALLS.get(how)?.();
      return call.cancelled();
    },
  },
];
