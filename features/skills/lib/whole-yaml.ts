import { parse } from 'yaml';
import { isObject } from '@/lib/json/value';
import type { ParseYaml } from './check-file';

/** Most aliases of one value, so that a small text can't become a large one. */
const MOST_ALIASES = 20;

/** Parses any YAML. For the terminal; the page has `simple-yaml.ts`. */
export const parseYaml: ParseYaml = (yaml) => {
  try {
    const value: unknown = parse(yaml, {
      schema: 'core',
      maxAliasCount: MOST_ALIASES,
      prettyErrors: false,
      logLevel: 'error',
    });
    return isObject(value) ? value : 'The frontmatter of SKILL.md has no fields.';
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return `The frontmatter of SKILL.md is not valid YAML: ${line.slice(0, 200)}`;
  }
};
