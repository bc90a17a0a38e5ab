import type { Allowance } from '@/lib/chat/chat-frame';
import { usageError } from '@/proxy/cli/exit-code';
import { type GivenOptions, lastValue } from '@/proxy/cli/grammar';

/** Reads `--allow`: which calls run without a person. Nothing does unless it is given. Throws an ExitError. */
export function readAllowance(given: GivenOptions): Allowance {
  if ((given.get('allow') ?? []).length > 1)
    throw usageError('`--allow` is given twice: separate the names with commas.');
  const words = (lastValue(given, 'allow') ?? '').split(',').map((word) => word.trim());
  if (given.has('allow') && words.includes(''))
    throw usageError('`--allow` has an empty name: write `--allow read-only`, `--allow all` or names of tools.');
  const written = words.filter((word) => word !== '' && word !== 'read-only' && word !== 'all');
  const mode = words.includes('all') ? 'all' : words.includes('read-only') ? 'read-only' : 'ask';
  return { mode, ...(written.length > 0 && { written }) };
}
