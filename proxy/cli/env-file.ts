import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Bytes of an `envFile`: real ones have some hundred, and this bounds what is read at a path that a config names. */
const ENV_FILE_BYTES = 1024 * 1024;

/** Content of an `envFile`. */
interface EnvFile {
  readonly variables: readonly (readonly [name: string, value: string])[];
}

/** A variable that a process can be given. */
const NAME = /^[^\s=\0]+$/;

/**
 * Reads the variables of an `envFile` in dotenv's format: quotes, `export`, comments, and no expansion. `wrong` is a
 * sentence for people: what is wrong with the file, and what to do.
 */
export function readEnvFile(path: string): EnvFile | { readonly wrong: string } {
  let text: string;
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { wrong: `Its \`envFile\` \`${path}\` is not a file. Correct the path in the config.` };
    if (stat.size > ENV_FILE_BYTES) {
      return { wrong: `Its \`envFile\` \`${path}\` is larger than 1 MiB. Name a file of variables in the config.` };
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    return {
      wrong: missing
        ? `Its \`envFile\` \`${path}\` does not exist. Create it, or correct the path in the config.`
        : `Its \`envFile\` \`${path}\` can’t be read (${code}). Correct its permissions, or the path in the config.`,
    };
  }
  const read = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')));
  return { variables: read.flatMap(([name, value = '']) => (NAME.test(name) ? [[name, value] as const] : [])) };
}
