import { parseArgs } from 'node:util';
import type { Option } from './options';

/** A command line cut into options, words and the `--`. Nothing is judged. */
export function tokensOf(argv: readonly string[], options: readonly Option[]) {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      options.map(({ name, short, value }) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}
