import type { Finding } from '@/lib/checker/job';

/** A type of JSON with its article. */
const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

/** Keywords whose finding makes a sentence of its own; `text` is what the checker says. */
const SENTENCES: ReadonlyMap<string, (field: string, text: string) => string> = new Map([
  ['false', (field) => `${field} is there, and outputSchema allows no such field.`],
  [
    'type',
    (field, text) => {
      const [is = '', wanted = ''] = text.replace(/^is /, '').split(', should be ');
      return `${field} is ${withArticle(is)}, and should be ${wanted.split(' or ').map(withArticle).join(' or ')}.`;
    },
  ],
  ['const', (field, text) => `${field} ${text}.`],
  ['enum', (field) => `${field} is none of the values that outputSchema lists.`],
]);

/** What does not fit an output schema, as a sentence that names the field. It names no value: other values are the same problem. */
export function outputWords({ path, text, missing, keyword }: Finding): string {
  const field = String(path.at(-1) ?? 'structuredContent').slice(0, 80);
  if (missing) return `${field} is missing, and outputSchema requires it.`;
  return SENTENCES.get(keyword)?.(field, text) ?? `${field} does not fit outputSchema: ${text}.`;
}

function withArticle(type: string): string {
  return ARTICLES[type] ?? type;
}
