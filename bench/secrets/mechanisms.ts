import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** A part of the redactor that can be left out. */
export interface Mechanism {
  readonly name: string;
  /** Its files in `lib/redact`. */
  readonly files: readonly string[];
  /** Names that its first file exports, and the code that stands there without it. */
  readonly without: Readonly<Record<string, string>>;
}

const NOTHING = '() => undefined';
const NO_ITEMS = '() => []';

export const MECHANISMS: readonly Mechanism[] = [
  { name: 'tokens of services', files: ['vendor-tokens', 'vendor-facts'], without: { vendorTokenAt: NOTHING } },
  { name: 'other shapes', files: ['shape-rows', 'shapes'], without: { SHAPES: '[]' } },
  { name: 'names in text', files: ['context', 'joint-rows', 'writing-rows'], without: { namedValue: NOTHING } },
  { name: 'names in JSON', files: ['json-levels'], without: { namedHere: NOTHING, secretOfValue: NOTHING } },
  { name: 'lines before a value', files: ['layouts'], without: { scanLayouts: NOTHING } },
  { name: 'sentences', files: ['prose', 'word-rows'], without: { saidAt: NOTHING } },
  { name: 'guesses', files: ['guesses', 'guess-rows'], without: { scanGuesses: NOTHING } },
  {
    name: 'decoders',
    files: ['decoders', 'inflate'],
    without: { WRITTEN: '[]', findEncodedTexts: NO_ITEMS },
  },
  { name: 'inflate', files: ['inflate'], without: { inflate: NOTHING } },
  { name: 'rare forms of known values', files: ['form-rows', 'value-encodings'], without: { RARE: '[]' } },
];

const fileOf = (folder: string, name: string) => join(folder, 'lib/redact', `${name}.ts`);

/** Returns the lines of a mechanism. */
export function linesOf({ files }: Mechanism, folder: string): number {
  return files.reduce((sum, name) => sum + readFileSync(fileOf(folder, name), 'utf8').split('\n').length - 1, 0);
}

/** Bundles the redactor without a mechanism. */
export function leaveOut({ files: [file], without }: Mechanism, folder: string): Plugin {
  const path = fileOf(folder, file!);
  return {
    name: 'leave-out',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, (given) => {
        if (given.path !== path) return undefined;
        let contents = readFileSync(path, 'utf8');
        for (const [name, instead] of Object.entries(without)) {
          const kept = contents.replace(new RegExp(`export (const|function\\*?) ${name}\\b`), `$1 ${name}_`);
          if (kept === contents) throw new Error(`${file}.ts does not export ${name}.`);
          contents = `${kept}\nexport const ${name}: any = ${instead};\n`;
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}
