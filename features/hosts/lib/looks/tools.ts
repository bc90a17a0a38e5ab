import type { ObstaclePlace } from '@/features/host-judge';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { quote } from '@/lib/problems/rule';
import { schemaFaults } from '@/lib/problems/schema-faults';
import { brokenAt, type Look, type Sight } from '../fact';
import { type HostSession, type SeenTool, toolPath } from '../host-session';

/** Schemas visited of one tool. */
const MOST_SCHEMAS = 5000;
/** Places after which no further tool is looked at. */
const MOST_PLACES = 200;
/** Keywords whose values are not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

type Find = (tool: SeenTool) => readonly { readonly words: string; readonly at: readonly (string | number)[] }[];

/** Looks at the list of tools. `begin` is called for each look. `words` follow the tool's name and a colon. */
function inList(begin: (session: HostSession) => Find): Look {
  return (session) => {
    if (!session.tools) return { notSeen: 'tools' };
    const find = begin(session);
    const places: ObstaclePlace[] = [];
    for (const tool of session.tools) {
      for (const { words, at } of find(tool)) {
        const { name, seq } = tool;
        places.push({ seq, words: `${quote(name)}: ${words}`, path: toolPath(tool, ...at), tool: name });
      }
      if (places.length >= MOST_PLACES) break;
    }
    return brokenAt(places);
  };
}

/** Looks at the list of tools, once for each list. */
function inTools(find: Find): Look {
  const look = inList(() => find);
  const sights = new WeakMap<readonly SeenTool[], Sight>();
  return (session) => {
    const known = session.tools && sights.get(session.tools);
    if (known) return known;
    const sight = look(session);
    if (session.tools) sights.set(session.tools, sight);
    return sight;
  };
}

const schemaIn = (raw: JsonObject, key = 'inputSchema'): JsonObject => {
  const schema = own(raw, key);
  return isObject(schema) ? schema : {};
};
const schemaOf = ({ raw }: SeenTool, key?: string): JsonObject => schemaIn(raw, key);

type SchemaPath = readonly (string | number)[];

/** Keywords whose members are names, whatever they look like. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Visits each schema in a schema, with its path. Stops when `visit` returns true. `skips`: keywords to leave out. */
function visitSchemas(
  root: unknown,
  visit: (schema: JsonObject, path: SchemaPath) => boolean,
  skips: readonly string[] = [],
): void {
  const pending: { readonly node: unknown; readonly path: SchemaPath; readonly isMap: boolean }[] = [
    { node: root, path: [], isMap: false },
  ];
  for (let next = 0; next < pending.length; next++) {
    const { node, path, isMap } = pending[next]!;
    if (isObject(node) && !isMap && visit(node, path)) return;
    const members: readonly (readonly [string | number, unknown])[] = Array.isArray(node)
      ? node.slice(0, MOST_SCHEMAS).map((item, at) => [at, item] as const)
      : isObject(node)
        ? Object.entries(node)
        : [];
    for (const [key, value] of members) {
      if (pending.length >= MOST_SCHEMAS) break;
      const isKeyword = typeof key === 'string' && !isMap;
      if (typeof value !== 'object' || (isKeyword && (VALUES.has(key) || skips.includes(key)))) continue;
      pending.push({ node: value, path: [...path, key], isMap: isKeyword && MAPS.has(key) });
    }
  }
}

/** Looks for schemas with a part that a host refuses. Names the first part of each tool. */
function inSchemas(
  keys: readonly string[],
  wordsFor: (schema: JsonObject) => string | undefined,
  skips: readonly string[] = [],
): Look {
  return inTools((tool) =>
    keys.flatMap((key) => {
      let found: { readonly words: string; readonly at: SchemaPath } | undefined;
      const visit = (schema: JsonObject, path: SchemaPath): boolean => {
        const words = wordsFor(schema);
        if (words !== undefined) found = { words, at: [key, ...path] };
        return found !== undefined;
      };
      visitSchemas(own(tool.raw, key), visit, skips);
      return found ? [found] : [];
    }),
  );
}

const BOTH = ['inputSchema', 'outputSchema'];

/** Looks for names of tools that do not match. `accepted`: the pattern in words, after "the host accepts". */
export function namesNotMatching(pattern: RegExp, accepted: string): Look {
  return inTools(({ name }) =>
    pattern.test(name) ? [] : [{ words: `the name is not of ${accepted}.`, at: ['name'] }],
  );
}

/** Looks for names of arguments that do not match, at the top level of a schema. */
export function argumentNames(pattern: RegExp, accepted: string): Look {
  return inTools((tool) => {
    const properties = own(schemaOf(tool), 'properties');
    const names = isObject(properties) ? Object.keys(properties) : [];
    return names
      .filter((name) => !pattern.test(name))
      .slice(0, 1)
      .map((name) => ({
        words: `the name of the argument ${quote(name)} is not of ${accepted}.`,
        at: ['inputSchema', 'properties', name],
      }));
  });
}

/** Returns the name by which the server introduces itself; '' if it does not. */
function serverName({ handshake }: HostSession): string {
  const info = handshake && own(handshake.result, 'serverInfo');
  const name = isObject(info) ? own(info, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

/**
 * Looks for names of tools that are too long with the name of the server. Hosts take that from their config, so the
 * server's own name stands for it.
 */
export function fullNames(most: number, fullName: (server: string, tool: string) => string): Look {
  return inList((session) => {
    const server = serverName(session);
    return ({ name }) => {
      const full = fullName(server, name);
      if (server === '' || full.length <= most) return [];
      const words = `${quote(full)} has ${full.length} characters, if the server is called ${quote(server)}.`;
      return [{ words, at: ['name'] }];
    };
  });
}

/** Looks for tools with the same name on the first page of the list. */
export const distinctNames: Look = inList(({ toolPages: [first] }) => {
  const known = new Set<string>();
  return ({ name, seq }) => {
    if (seq !== first) return [];
    if (known.has(name)) return [{ words: 'has the name of an earlier tool.', at: ['name'] }];
    known.add(name);
    return [];
  };
});

/** Looks for tools with different names that are the same once the host has written them in its way. */
export function distinctInHost(written: (tool: string, server: string) => string): Look {
  return inList((session) => {
    const known = new Map<string, string>();
    return ({ name }) => {
      const inHost = written(name, serverName(session));
      const other = known.get(inHost) ?? name;
      known.set(inHost, other);
      return other === name
        ? []
        : [{ words: `is ${quote(inHost)} in this host, as ${quote(other)} is.`, at: ['name'] }];
    };
  });
}

/** Looks for more tools than a host takes. */
export function toolCount(most: number): Look {
  return ({ tools }) => {
    if (!tools) return { notSeen: 'tools' };
    const beyond = tools[most];
    if (!beyond) return 'holds';
    return [
      {
        seq: beyond.seq,
        words: `The server has ${tools.length} tools; ${quote(beyond.name)} is the first beyond ${most}.`,
      },
    ];
  };
}

/** Looks for tools that are only on later pages of the list. */
export const firstPage: Look = ({ tools, toolPages: [first] }) => {
  if (!tools) return { notSeen: 'tools' };
  const onFirst = new Set(tools.flatMap(({ name, seq }) => (seq === first ? [name] : [])));
  return brokenAt(
    tools
      .filter(({ name }) => !onFirst.has(name))
      .slice(0, MOST_PLACES)
      .map((tool) => ({
        seq: tool.seq,
        words: `${quote(tool.name)} is on a later page of \`tools/list\`.`,
        path: toolPath(tool),
        tool: tool.name,
      })),
  );
};

/** Looks for keywords at the top level of a schema. */
export function topLevel(keywords: readonly string[], key: 'inputSchema' | 'outputSchema' = 'inputSchema'): Look {
  return inTools((tool) =>
    keywords
      .filter((keyword) => own(schemaOf(tool, key), keyword) !== undefined)
      .map((keyword) => ({ words: `${key} has ${keyword} at its top level.`, at: [key, keyword] })),
  );
}

/** Looks for what the type check of the official TypeScript SDK refuses in a tool, and with it the whole list. */
export const parsedStrictly: Look = inTools(({ raw }) =>
  BOTH.flatMap((key) => {
    const schema = own(raw, key);
    if (schema === undefined) return key === 'inputSchema' ? [{ words: 'has no inputSchema.', at: [] }] : [];
    if (!isObject(schema)) return [{ words: `${key} is not an object.`, at: [key] }];
    if (own(schema, 'type') !== 'object') return [{ words: `${key}.type is not "object".`, at: [key, 'type'] }];
    const [properties, required] = [own(schema, 'properties'), own(schema, 'required')];
    if (properties !== undefined && !isObject(properties))
      return [{ words: `${key}.properties is not an object.`, at: [key, 'properties'] }];
    const bare = Object.entries(properties ?? {}).find(([, value]) => !isObject(value));
    if (bare) return [{ words: `the property ${quote(bare[0])} is not an object.`, at: [key, 'properties', bare[0]] }];
    const isList = Array.isArray(required) && required.every((name) => typeof name === 'string');
    return required === undefined || isList
      ? []
      : [{ words: `${key}.required is not a list of names.`, at: [key, 'required'] }];
  }),
);

/**
 * Looks for schemas that do not fit the meta-schema of a draft, whatever they say of themselves. A meta-schema knows
 * nothing of where references lead.
 */
export function validBy(draft: '7' | '2020-12'): Look {
  return inTools(({ raw }) => {
    const { $schema: _, ...schema } = schemaIn(raw);
    return schemaFaults(schema, draft)
      .filter(({ path }) => path.at(-1) !== '$ref')
      .slice(0, 1)
      .map(({ path, message }) => ({ words: message, at: ['inputSchema', ...path] }));
  });
}

/** Looks for schemas other than objects with properties, be it none. */
export const withProperties: Look = inTools((tool) => {
  const schema = schemaOf(tool);
  if (own(schema, 'type') !== 'object') return [{ words: 'inputSchema.type is not "object".', at: ['inputSchema'] }];
  return isObject(own(schema, 'properties')) ? [] : [{ words: 'inputSchema has no properties.', at: ['inputSchema'] }];
});

/** Looks for arrays whose items have no schema. Definitions are not looked at, as the host does not. */
export const arrayItems: Look = inSchemas(
  ['inputSchema'],
  (schema) => (own(schema, 'type') === 'array' && !own(schema, 'items') ? 'has an array without `items`.' : undefined),
  ['$defs', 'definitions'],
);

/** Looks for `$ref`. */
export const references: Look = inSchemas(BOTH, (schema) =>
  own(schema, '$ref') === undefined ? undefined : 'has a `$ref`.',
);

/** Looks for a list of at least this many types. */
export function typeLists(least: number): Look {
  return inSchemas(['inputSchema'], (schema) => {
    const type = own(schema, 'type');
    return Array.isArray(type) && type.length >= least
      ? `has the types ${JSON.stringify(type).slice(0, 80)}.`
      : undefined;
  });
}

/** Looks for bounds as JSON Schema has them since draft 6. */
export const numericExclusive: Look = inSchemas(['inputSchema'], (schema) =>
  ['exclusiveMinimum', 'exclusiveMaximum'].some((key) => typeof own(schema, key) === 'number')
    ? 'has an exclusive bound as a number.'
    : undefined,
);

/** Looks for required arguments that are not declared. */
export const undeclaredRequired: Look = inTools((tool) => {
  const [properties, required] = [own(schemaOf(tool), 'properties'), own(schemaOf(tool), 'required')];
  const known = isObject(properties) ? properties : {};
  return (Array.isArray(required) ? required : [])
    .filter((name): name is string => typeof name === 'string' && !Object.hasOwn(known, name))
    .slice(0, 1)
    .map((name) => ({
      words: `requires ${quote(name)}, which is not in its properties.`,
      at: ['inputSchema', 'required'],
    }));
});

/** Looks for tools without a description. */
export const described: Look = inTools(({ raw }) => {
  const description = own(raw, 'description');
  return typeof description === 'string' && description.trim() !== ''
    ? []
    : [{ words: 'has no description.', at: ['description'] }];
});

/** Looks for descriptions above a length in bytes. */
export function descriptionWithin(bytes: number): Look {
  return inTools(({ raw }) => {
    const description = own(raw, 'description');
    const length = typeof description === 'string' ? new TextEncoder().encode(description).length : 0;
    return length > bytes ? [{ words: `its description has ${length} bytes.`, at: ['description'] }] : [];
  });
}

const annotation = ({ raw }: SeenTool, name: string): unknown => {
  const annotations = own(raw, 'annotations');
  return isObject(annotations) ? own(annotations, name) : undefined;
};

/** Looks for tools that lack one of these annotations. */
export function annotated(...names: readonly string[]): Look {
  return inTools((tool) => {
    const missing = names.filter((name) => typeof annotation(tool, name) !== 'boolean');
    return missing.length === 0 ? [] : [{ words: `has no ${missing.join(', ')}.`, at: ['annotations'] }];
  });
}

const titleOf = (tool: SeenTool): unknown => annotation(tool, 'title');
const outerTitle = ({ raw }: SeenTool): unknown => own(raw, 'title');

/** Looks for tools without a title, wherever it stands. */
export const titled: Look = inTools((tool) =>
  [titleOf(tool), outerTitle(tool)].some((title) => typeof title === 'string')
    ? []
    : [{ words: 'has no title.', at: ['annotations'] }],
);

/** Looks for tools whose only title stands beside the name. */
export const titleInAnnotations: Look = inTools((tool) =>
  typeof outerTitle(tool) === 'string' && typeof titleOf(tool) !== 'string'
    ? [{ words: 'has a title, but no `annotations.title`.', at: ['title'] }]
    : [],
);

/** Looks for tools that have none of these annotations. */
export function annotatedWithAny(...names: readonly string[]): Look {
  return inTools((tool) =>
    names.some((name) => typeof annotation(tool, name) === 'boolean')
      ? []
      : [{ words: `has neither ${names.join(' nor ')}.`, at: ['annotations'] }],
  );
}

/** Looks for tools that only read, and destroy. */
export const contradicting: Look = inTools((tool) =>
  annotation(tool, 'readOnlyHint') === true && annotation(tool, 'destructiveHint') === true
    ? [{ words: 'is both read-only and destructive.', at: ['annotations'] }]
    : [],
);
