import { basename } from 'node:path';
import type { RuleSet } from '@/lib/intercept/active-rule';
import { OverlayError, readOverlay } from '@/lib/intercept/overlay-file';
import { readNamedFile } from '@/proxy/files/named-files';
import { RulesFileError } from './open-rules';

/** Bytes of the largest overlay file: each UTF-16 unit of its text takes at most three. */
const OVERLAY_BYTES = 3_000_000;

/** Reads an overlay file. Rejects with a {@link RulesFileError}. */
export async function openOverlay(path: string): Promise<RuleSet> {
  const { text, wrong = 'It does not exist.' } = await readNamedFile(path, { most: OVERLAY_BYTES });
  if (text === undefined) throw new RulesFileError(`Could not read the overlay in \`${path}\`. ${wrong}`);
  try {
    readOverlay(text);
  } catch (error) {
    if (!(error instanceof OverlayError)) throw error;
    throw new RulesFileError(`The overlay in \`${path}\` can’t be used. ${error.message} ${error.advice}`);
  }
  return { owner: { file: basename(path) }, rules: [], overlay: text };
}
