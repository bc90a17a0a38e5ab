import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** Packs files of a page in `root` like scripts/pack-page.mjs: an archive `later.br`, and its index. */
export function writePacked(root: string, files: Readonly<Record<string, string>>): void {
  writeFileSync(join(root, 'later.br'), brotliCompressSync(Object.values(files).join('')));
  const parts = Object.entries(files).map(([path, text]) => [path, Buffer.byteLength(text)]);
  writeFileSync(join(root, 'packed.json'), JSON.stringify({ 'later.br': parts }));
}
