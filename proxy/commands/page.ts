import { join, resolve } from 'node:path';
import { countOf } from '@/lib/wire/format';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { writePageFiles } from '@/proxy/files/page-files';
import { writeErrorReason } from '@/proxy/files/private-files';

/** Writes the page, as the static files that any web server can serve, to a new or empty folder. */
export async function run({ request, home, printNote }: CommandContext): Promise<ExitCode> {
  const [folder] = request.words as readonly [string];
  try {
    const files = await writePageFiles(join(home, 'ui'), resolve(folder), join(home, '../THIRD-PARTY-LICENSES.txt'));
    printNote(`Wrote the page, ${countOf(files, 'file')}, to ${folder}. Serve it at the root of a host.`);
    return EXIT.fine;
  } catch (error) {
    throw usageError(`The page can’t be written to \`${folder}\`: ${writeErrorReason(error)}. Choose another folder.`);
  }
}
