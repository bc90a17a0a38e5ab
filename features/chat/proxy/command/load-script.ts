import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type Model, ModelError } from '@/features/chat/lib/model';
import { readScript, ScriptError } from '@/features/chat/lib/script';
import { scriptedModel } from '@/features/chat/lib/scripted-model';
import { docsUrl } from '@/lib/wire/docs-url';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { readNamedFile } from '@/proxy/files/user-files';
import { CONFIG_BYTES, formatOf, parseConfig } from '@/proxy/servers/parse-config';

/** Begins the name of a scripted model, before the path of its script. */
export const SCRIPTED = 'scripted:';

/** Returns the model of a script file, YAML or JSON, which is looked up in `folder`. Rejects with a ModelError. */
export async function loadScript(name: string, folder = '.'): Promise<Model> {
  const path = resolve(folder, name.slice(SCRIPTED.length));
  const format = formatOf(path);
  const { text, wrong } = await readNamedFile(path, { most: CONFIG_BYTES[format] });
  if (text === undefined) throw badScript(path, wrong ?? 'it does not exist.');
  const parsed = await parseConfig(text, format);
  if ('wrong' in parsed) throw badScript(path, parsed.wrong);
  try {
    const digest = createHash('sha256').update(text).digest('hex');
    return { ...scriptedModel(name, readScript(parsed.value), { within: runWithin }), digest };
  } catch (error) {
    if (error instanceof ScriptError) throw badScript(path, error.message);
    throw error;
  }
}

function badScript(path: string, why: string): ModelError {
  return new ModelError(
    'bad-script',
    `The script \`${path.slice(0, 200)}\` can’t be used: ${why}`,
    `Correct it, or choose another model. ${docsUrl('chat')} has the format.`,
  );
}
