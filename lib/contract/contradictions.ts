import { formatPath } from '@/lib/json/outline-path';
import { SchemaChecker } from '@/lib/schema/check';

/** A place of a result that breaks the declared schema. */
export interface Contradiction {
  /** As in `structuredContent.items[0].id`. */
  readonly path: string;
  readonly message: string;
}

/** Most contradictions per result. */
const MOST_CONTRADICTIONS = 20;
/** Most characters of a path. */
const PATH_CHARS = 200;

const NO_BRANCHES = new Map<string, string>();

/** Checks results against a declared `outputSchema`, given as JSON. A hostile schema may take forever. */
export class DeclaredContract {
  readonly #checker: SchemaChecker;
  /** Why the schema can't be used; undefined if it can. */
  unchecked: string | undefined;

  constructor(schema: string) {
    this.#checker = new SchemaChecker(schema);
  }

  /** Lists the places of a result's structured content, given as JSON, that break the schema. Never throws. */
  check(structuredContent: string | undefined): readonly Contradiction[] {
    if (structuredContent === undefined) return [{ path: 'structuredContent', message: 'is missing' }];
    const { findings, unchecked } = this.#checker.check(structuredContent, NO_BRANCHES);
    this.unchecked ??= unchecked;
    return findings.slice(0, MOST_CONTRADICTIONS).map(({ path, text }) => ({
      path: formatPath(['structuredContent', ...path]).slice(0, PATH_CHARS),
      message: text,
    }));
  }
}
