import { tokenize } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';
import { CODE_KINDS, type CodeKind, type CodeRuns } from './code-kinds';

/** Kinds by the tokenizer's types: identifier, keyword, string, class, property, entity, JSX literal, sign, comment. */
const KINDS: readonly CodeKind[] = [
  ...(['plain', 'keyword', 'string', 'value', 'name', 'name', 'plain', 'plain', 'comment'] as const),
];

/** Most runs. The rest of the code is plain, so that the page stays fast. */
const MOST_RUNS = 8000;

/**
 * Splits code into runs. `names` are possible names of its language: an alias, MIME type or file extension. Returns
 * undefined if none is known.
 */
export function codeRuns(code: string, names: readonly string[]): CodeRuns | undefined {
  const id = languageOf(names);
  const language = languages.find((each) => each.id === id);
  if (!language || UNCOLOURED.has(language.id)) return undefined;
  const runs: number[] = [];
  let end = 0;
  for (const [type, text] of tokenize(code, language.config)) {
    end += text.length;
    const kind = CODE_KINDS.indexOf(text.trim() === '' ? 'plain' : (KINDS[type] ?? 'plain'));
    if (runs.at(-1) === kind) runs[runs.length - 2] = end;
    else if (runs.length < 2 * MOST_RUNS) runs.push(end, kind);
    else break;
  }
  return Uint32Array.from(runs);
}

/** Languages whose tokens mean little. Markdown is laid out instead. */
const UNCOLOURED: ReadonlySet<string> = new Set(['plaintext', 'markdown']);

/** Names that the tokenizer does not know, as parts of MIME types or in fences. */
const ALIASES: Readonly<Record<string, string>> = {
  ecmascript: 'javascript',
  'c++src': 'cpp',
  csrc: 'c',
  'svg+xml': 'xml',
  jsonl: 'json',
  mjs: 'js',
  cjs: 'js',
  mts: 'ts',
  cts: 'ts',
  h: 'c',
  hpp: 'cpp',
  less: 'css',
};

function languageOf(names: readonly string[]): string | undefined {
  for (const name of names) {
    const plain = name
      .toLowerCase()
      .replace(/^(?:text|application|image)\//, '')
      .replace(/^x-/, '');
    const found = lang(Object.hasOwn(ALIASES, plain) ? ALIASES[plain]! : plain);
    if (found !== undefined) return found;
  }
  return undefined;
}
