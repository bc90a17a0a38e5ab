// @ts-check
import { say } from '../content.mjs';
import { RpcError } from '../protocol.mjs';

/** @type {ReadonlyMap<string, () => void>} */
const FALLS = new Map([
  ['exit', () => process.exit(1)],
  ['signal', () => void process.kill(process.pid, 'SIGKILL')],
  [
    'exception',
    () => {
      // Thrown outside of the call: inside, it would become an error response.
      setImmediate(() => {
        throw new Error('Man overboard');
      });
    },
  ],
]);

/** Tools that fail, or do what servers should not do. @type {readonly import('../tools.mjs').Tool[]} */
export const TROUBLE_TOOLS = [
  {
    name: 'row_in_gale',
    title: 'Row out in a gale',
    description: 'Fails the way a tool should: the result has `isError` and a text that a model can read.',
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
    description: 'Fails with the protocol error -32603, with data.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    run: () => {
      throw new RpcError(-32603, 'The lens is in pieces', { pieces: 1024, made: 1887, insured: false });
    },
  },
  {
    name: 'mutter',
    title: 'Mutter',
    description: 'Writes lines to stderr, which is not an error.',
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
    description: 'Prints a line that is not JSON to stdout, like a forgotten console.log.',
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
    description: 'Ends the server during the call.',
    inputSchema: {
      type: 'object',
      properties: {
        how: {
          description: 'How the server ends.',
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
