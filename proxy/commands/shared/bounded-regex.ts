import { createContext, Script } from 'node:vm';
import type { RegexSource } from '@/lib/filter/language/ast';
import { RowSet } from '@/lib/store/columns/collections';
import type { Log } from '@/lib/store/log';

/** Most milliseconds of a regular expression on one frame. */
const REGEX_MS = 700;

/** Tests frames with a regular expression in a context of its own, where it can be stopped. */
export function boundedRegexTest(
  { source, flags }: RegexSource,
  log: Log,
  slow: Set<number>,
): (index: number) => boolean | undefined {
  const context = createContext({ source, flags, text: '' });
  new Script('const expression = new RegExp(source, flags)').runInContext(context);
  const test = new Script('expression.test(text)');
  // Bytes never change, and may be gone when the row is tested again.
  const [tested, found] = [new RowSet(), new RowSet()];
  return (index) => {
    if (slow.has(index)) return undefined;
    if (tested.has(index)) return found.has(index);
    if (!log.hasBytes(index + 1)) return undefined;
    context.text = log.text(index);
    try {
      found.set(index, test.runInContext(context, { timeout: REGEX_MS }) as boolean);
      tested.set(index, true);
      return found.has(index);
    } catch {
      slow.add(index);
      return undefined;
    }
  };
}
