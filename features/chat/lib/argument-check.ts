import { isObject, type JsonObject, own } from '@/lib/json/value';
import { SchemaChecker } from '@/lib/schema/check';
import type { CallFault, OfferedTool } from './chat-frame';

/**
 * Most characters of a schema and of arguments that are checked, and most of its schemas with each reference followed.
 * The check runs beside the servers' traffic, so it must be fast for any schema that a server writes.
 */
const MOST_CHARS = 100_000;
const MOST_SCHEMAS = 2000;
/** Most mistakes that one sentence lists. */
const MOST_FINDINGS = 5;
/** Keywords whose check can take for ever. */
const SLOW = new Set(['pattern', 'uniqueItems']);
/** Without a slow keyword, these could find a mistake where there is none. */
const CHOICES = new Set(['not', 'if', 'oneOf', 'contains', 'patternProperties']);
/** Keywords that hold schemas by name, and keywords that hold values. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
const VALUES = new Set(['default', 'const', 'enum', 'examples']);

/**
 * Returns how arguments break their tool's schema, as one fault; none if they fit, or if the schema can't be checked in
 * a short time. Patterns are not checked.
 */
export function checkArguments(tool: OfferedTool, args: unknown): readonly CallFault[] {
  const schema = JSON.stringify(tool.inputSchema);
  const text = JSON.stringify(args);
  if (schema.length > MOST_CHARS || text.length > MOST_CHARS || !isSmall(tool.inputSchema)) return [];
  const found = { slow: false, choice: false };
  const quick = JSON.stringify(withoutSlow(tool.inputSchema, found));
  if (found.slow && found.choice) return [];
  const { findings } = new SchemaChecker(quick).check(text, new Map());
  if (findings.length === 0) return [];
  const listed = findings
    .slice(0, MOST_FINDINGS)
    .map(({ path, text: mistake }) => `${path.length === 0 ? 'the value' : path.join('.')} ${mistake}`);
  const more = findings.length > MOST_FINDINGS ? `, and ${findings.length - MOST_FINDINGS} more` : '';
  return [{ code: 'bad-arguments', message: `The arguments don't fit the schema: ${listed.join(', ')}${more}.` }];
}

/** Returns true if following each reference, again and again, ends soon. References in a circle don't. */
function isSmall(root: JsonObject): boolean {
  let left = MOST_SCHEMAS;
  const open = new Set<unknown>();
  const visit = (value: unknown): boolean => {
    if (!isObject(value) && !Array.isArray(value)) return true;
    if (--left < 0 || open.has(value)) return false;
    open.add(value);
    const isFine = Object.entries(value).every(([name, inner]) => {
      if (name === '$dynamicRef' || name === '$recursiveRef') return false;
      if (name === '$ref' && typeof inner === 'string') return visit(pointed(root, inner));
      // Visited where something refers to them.
      return (value === root && (name === '$defs' || name === 'definitions')) || visit(inner);
    });
    open.delete(value);
    return isFine;
  };
  return visit(root);
}

/** Returns the place that a reference names; the root for other documents and anchors, which are not followed. */
function pointed(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return root;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) ? own(at, name) : Array.isArray(at) ? at[Number(name)] : undefined;
  }
  return at;
}

function withoutSlow(schema: unknown, found: { slow: boolean; choice: boolean }, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutSlow(item, found));
  if (!isObject(schema)) return schema;
  const kept: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(schema)) {
    if (isMap) kept.push([name, withoutSlow(inner, found)]);
    else if (SLOW.has(name)) found.slow = true;
    else {
      if (CHOICES.has(name)) found.choice = true;
      if (name === 'patternProperties') found.slow = true;
      kept.push([name, VALUES.has(name) ? inner : withoutSlow(inner, found, MAPS.has(name))]);
    }
  }
  return Object.fromEntries(kept);
}
