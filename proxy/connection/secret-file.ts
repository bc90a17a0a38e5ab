import { ConnectionError } from '@/lib/transports/transport';
import { readNamedFile, typedPath } from '@/proxy/files/user-files';

/** Largest key or token in bytes, so that a wrong path can't fill the memory. */
const SECRET_BYTES = 64 * 1024;

/**
 * Reads a key or a token from a file that the user named, relative to the working directory. Rejects with
 * ConnectionError `secret-file`.
 */
export async function readSecretFile(path: string): Promise<string> {
  const { text, wrong = 'It does not exist.' } = await readNamedFile(typedPath(path), { most: SECRET_BYTES });
  if (text !== undefined) return text;
  throw new ConnectionError({
    code: 'secret-file',
    message: `Could not read ${JSON.stringify(path)}, which authorization needs. ${wrong}`,
    advice: 'Check the path. It is on the machine that runs mcp-inspect.',
  });
}
