import { basename, join } from 'node:path';
import { Placeholders } from '@/lib/redact/placeholders';
import { countOf } from '@/lib/wire/format';
import type { ExitCode } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { withLocalFile } from '@/proxy/commands/shared/recording-files';
import { writeNewFile } from '@/proxy/files/private-files';
import { withTemporaryFolder } from '@/proxy/files/temporary-folder';
import { automaticCopy } from '../share/automatic-copy';
import { readPolicy } from '../share/share-policy';
import type { ReadRecording } from '../shared/recording-file';

/** A form in which recordings are exported. */
export interface ExportForm {
  /** Adds the masked copy of a recording at `path`, which is deleted afterwards. Resolves with false to add no more. */
  add(path: string, file: ReadRecording): Promise<boolean>;
  /** Writes what was added. */
  end(): Promise<ExitCode>;
  /** Gives up, after a recording that can’t be exported. */
  abandon?(): Promise<unknown>;
}

interface Exporting extends CommandContext {
  /** File of the policy, if one is named. */
  readonly policy: string | undefined;
}

/** Exports a copy of each recording, with the secrets masked that `share` masks by itself. Throws an ExitError. */
export async function exportMasked(
  files: readonly ReadRecording[],
  form: ExportForm,
  { version, status, printNote, policy: named }: Exporting,
): Promise<ExitCode> {
  const policy = await readPolicy(named);
  const placeholders = new Placeholders();
  let [masked, left] = [0, 0];
  for (const file of files) {
    const adding = withLocalFile(file, (path) =>
      withTemporaryFolder(async (folder) => {
        const sharing = { version, status, placeholders, where: 'after `export`', shown: file.shown };
        const copy = await automaticCopy(path, policy, sharing);
        const masking = join(folder, basename(path).replace(/(?:\.mcpr)?\.(?:gz|har|jsonl)$/, '.mcpr.jsonl'));
        try {
          await writeNewFile(masking, copy.write());
        } finally {
          await copy.close();
        }
        masked += copy.masked();
        left += copy.left;
        return form.add(masking, file);
      }),
    );
    const goesOn = await adding.catch(async (error: unknown) => {
      await form.abandon?.();
      throw error;
    });
    if (!goesOn) break;
  }
  status.end();
  if (masked > 0) printNote(`${countOf(masked, 'place')} masked.`);
  if (left > 0) printNote(`${countOf(left, 'possible secret')} kept; \`mcp-inspect share FILE --review\` lists them.`);
  return form.end();
}
