// Reads the tools of files with `tools/list` results, each schema as it is written.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** Our own reader of JSON text, which the page uses too: digits and order stay. */
async function jsonSource() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'lib/json/source.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    alias: { '@': root },
  });
  const { JsonSource } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  );
  return JsonSource;
}

/** Every tool in a file or folder: where from, its name, and its schema's text (undefined if it has none). */
export async function readTools(paths) {
  const JsonSource = await jsonSource();
  const files = paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith('.json'))
          .sort()
          .map((name) => join(path, name))
      : [path],
  );
  return files.flatMap((file) => {
    const whole = JsonSource.parse(readFileSync(file, 'utf8'));
    if (whole === undefined) throw new Error(`${file} is not JSON.`);
    const list = whole.kind === 'array' ? whole : (whole.member('tools') ?? whole.member('result')?.member('tools'));
    if (list?.kind !== 'array')
      throw new Error(`${file} has no list of tools: expected an array, or an object with "tools".`);
    return list.children(100_000).children.map(({ source }) => ({
      file: basename(file),
      name: String(source.member('name')?.value ?? '(no name)'),
      schema: source.member('inputSchema')?.text,
    }));
  });
}
