import { PINS_FILE } from '@/features/check/lib/pins/pins-file';
import { CHOSEN_FILES } from '@/features/check/proxy/options';
import { parseBounded } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { docsUrl } from '@/lib/wire/docs-url';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandRequest, lastValue } from '@/proxy/cli/grammar';
import { chosenFileAccess, type FileContext, namedFile } from '@/proxy/commands/shared/file-access';
import { isCopied, type LocalFile, localFiles } from '@/proxy/commands/shared/recording-files';
import { openNamedFile } from '@/proxy/files/user-files';
import { openErrorText } from '@/proxy/recorder/open-file';
import { agreedPins } from './pins-file';

/** A file to play. */
export interface TestFile extends LocalFile {
  readonly kind: 'pins' | 'recording';
}

/** The part of the context that says which files are played. */
type TestContext = FileContext & { readonly request: Pick<CommandRequest, 'words' | 'given'> };

/** Bytes that are read to tell what a file is. A header of a recording is much shorter. */
const LOOKED_AT_BYTES = 64 * 1024;

const NOTHING_TO_PLAY = `Nothing is played: name the pins file, as in \`mcp-inspect test ${PINS_FILE} -- node server.js\`.`;

const PLAYED = {
  names: /\.(?:mcpr\.jsonl|mcpr\.gz|pins\.json)$/,
  what: 'recording (NAME.mcpr.jsonl, NAME.mcpr.gz) and no pins file (NAME.pins.json)',
};

/**
 * Returns the files that words name: a file as it is, the recordings and pins files directly in a folder by name, and
 * copies of stdin and of what is in a bucket; without words, that of `--pins`, or the usual one if a person agrees.
 * Throws an ExitError and a StoreError.
 */
export async function findTestFiles(context: TestContext): Promise<readonly TestFile[]> {
  const { words, given } = context.request;
  const copied = words.find(isCopied);
  if (copied !== undefined && given.has('update'))
    throw usageError(`\`--update\` writes to the file, and \`${copied}\` is not on this machine: name a file that is.`);
  const pins = lastValue(given, 'pins') ?? PINS_FILE;
  const choice = CHOSEN_FILES.find(({ name }) => given.has(name));
  if (words.length === 0 && choice)
    throw usageError(`\`--${choice.name}\` chooses files of a folder or prefix: name that before the server.`);
  if (words.length === 0) {
    const file = await namedFile(pins, context);
    if (!given.has('pins') && !(await agreedPins(file))) throw usageError(NOTHING_TO_PLAY);
    return [{ ...file, kind: 'pins' }];
  }
  const files = await localFiles(words, { ...chosenFileAccess(context), inFolders: PLAYED });
  return Promise.all(files.map(async (file) => ({ ...file, kind: await kindOf(file) })));
}

/** Tells what a file is from its beginning. JSON that is neither a header nor an HTTP Archive has pins. */
async function kindOf(file: LocalFile): Promise<TestFile['kind']> {
  const beginning = await readBeginning(file);
  if (beginning[0] === GZIP[0] && beginning[1] === GZIP[1]) return 'recording';
  const text = beginning.toString('utf8').replace(/^\ufeff/, '');
  if (hasMember(text.split('\n', 1)[0]!, 'mcpr') || /^\s*\{\s*"log"\s*:/.test(text)) return 'recording';
  if (/^\s*\{/.test(text)) return 'pins';
  throw usageError(`\`${file.shown}\` is neither a recording nor a pins file. See ${docsUrl('pins')}.`);
}

/** The first bytes of a compressed file (RFC 1952). */
const GZIP = [0x1f, 0x8b] as const;

function hasMember(text: string, name: string): boolean {
  try {
    const value: unknown = parseBounded(text);
    return isObject(value) && own(value, name) !== undefined;
  } catch {
    return false;
  }
}

async function readBeginning({ path, shown: file }: LocalFile): Promise<Buffer> {
  try {
    const handle = await openNamedFile(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `test`')}`);
  }
}
