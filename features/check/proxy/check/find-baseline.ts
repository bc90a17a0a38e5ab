import { statSync } from 'node:fs';
import { type Baseline, readBaseline } from '@/features/check/lib/baseline';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue } from '@/proxy/cli/grammar';
import { type FileContext, namedFile } from '@/proxy/commands/shared/file-access';
import { storeOf } from '@/proxy/commands/shared/recording-files';
import { readNamedFile } from '@/proxy/files/user-files';
import { FLEET_FILES } from './fleet-rows';

/** Bytes of the largest baseline. A finding takes a few hundred. */
const BASELINE_BYTES = 16 * 1024 * 1024;

/** Reads `--baseline`: a file, the folder of a fleet, or either in a bucket. Throws an ExitError or a StoreError. */
export async function findBaseline(context: FileContext): Promise<Baseline | undefined> {
  const place = lastValue(context.request.given, 'baseline');
  if (place === undefined) return undefined;
  const store = storeOf(place);
  const isFolder = store
    ? !(await store.load()).namesFile(place)
    : statSync(place, { throwIfNoEntry: false })?.isDirectory();
  const file = isFolder ? `${place.replace(/[\\/]+$/, '')}/${FLEET_FILES.json}` : place;
  const { path } = await namedFile(file, context);
  const { text, wrong } = await readNamedFile(path, { most: BASELINE_BYTES });
  if (text === undefined && wrong === undefined) {
    throw usageError(`\`${file}\` was not found. Check the path after \`--baseline\`.`);
  }
  if (text === undefined) throw usageError(`\`${file}\` can’t be used as a baseline. ${wrong}`);
  return baselineIn(text, file);
}

function baselineIn(text: string, file: string): Baseline {
  const baseline = readBaseline(text.replace(/^\ufeff/, ''));
  if (typeof baseline !== 'string') return baseline;
  throw usageError(
    `\`${file}\` can’t be used as a baseline: ${baseline}. Write one with \`mcp-inspect check … --json > FILE\`.`,
  );
}
