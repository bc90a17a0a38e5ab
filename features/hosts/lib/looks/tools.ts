import { isObject, type JsonObject, own } from '@/lib/json/value';
import { schemaFaults } from '@/lib/problems/schema-faults';
import { brokenAt, type Look, type Sight } from '../fact';
import { type HostSession, type SeenTool, toolPath } from '../host-session';

/** Schemas visited of one tool. */
const MOST_SCHEMAS = 5000;
/** Keywords whose values are not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/** Quotes a name from the server, shortened. */
function quoted(name: string): string {
  return JSON.stringify(name.length <= 80 ? name : `${name.slice(0, 79)}…`);
}

/** Looks at the list of tools, once for each list. `words` follow the tool's name and a colon. */
function inTools(
  find: (tool: SeenTool) => readonly { readonly words: string; readonly at: readonly (string | number)[] }[],
): Look {
  const sights = new WeakMap<readonly SeenTool[], Sight>();
  return ({ tools }) => {
    if (!tools) return { notSeen: 'tools' };
    const known = sights.get(tools);
    if (known) return known;
    const sight = brokenAt(
      tools.flatMap((tool) =>
        find(tool).map(({ words, at }) => ({
          seq: tool.seq,
          words: `${quoted(tool.name)}: ${words}`,
          path: toolPath(tool, ...at),
          tool: tool.name,
        })),
      ),
    );
    sights.set(tools, sight);
    return sight;
  };
}

const schemaOf = ({ raw }: SeenTool, key = 'inputSchema'): JsonObject => {
  const schema = own(raw, key);
  return isObject(schema) ? schema : {};
};

/** Visits each schema in a schema, with its path. Stops when `visit` returns true. */
function visitSchemas(
  root: unknown,
  visit: (schema: JsonObject, path: readonly (string | number)[]) => boolean | undefined,
): void {
  const pending: (readonly [unknown, readonly (string | number)[]])[] = [[root, []]];
  for (let seen = 0; pending.length > 0 && seen < MOST_SCHEMAS; seen++) {
    const [node, path] = pending.pop()!;
    if (Array.isArray(node)) pending.push(...node.map((item, at) => [item, [...path, at]] as const));
    if (!isObject(node)) continue;
    // The members of `properties` are names, whatever they look like.
    const isMap = path.at(-1) === 'properties' || path.at(-1) === '$defs' || path.at(-1) === 'definitions';
    if (!isMap && visit(node, path)) return;
    for (const [key, value] of Object.entries(node))
      if (isMap || !VALUES.has(key)) pending.push([value, [...path, key]]);
  }
}

/** Looks for schemas with a part that a host refuses. Names the first part of each tool. */
function inSchemas(keys: readonly string[], wordsFor: (schema: JsonObject) => string | undefined): Look {
  return inTools((tool) =>
    keys.flatMap((key) => {
      let found: { readonly words: string; readonly at: readonly (string | number)[] } | undefined;
      visitSchemas(own(tool.raw, key), (schema, path) => {
        const words = wordsFor(schema);
        if (words !== undefined) found = { words, at: [key, ...path] };
        return found !== undefined;
      });
      return found ? [found] : [];
    }),
  );
}

const BOTH = ['inputSchema', 'outputSchema'];

/** Looks for names of tools that do not match. `accepted`: the pattern in words, after "the host accepts". */
export function toolNames(pattern: RegExp, accepted: string): Look {
  return inTools(({ name }) =>
    pattern.test(name)
      ? []
      : [{ words: `the name has ${name.length} characters; accepted: ${accepted}.`, at: ['name'] }],
  );
}

/** Looks for names of arguments that do not match, at the top level of a schema. */
export function argumentNames(pattern: RegExp, accepted: string): Look {
  return inTools((tool) => {
    const properties = own(schemaOf(tool), 'properties');
    const names = isObject(properties) ? Object.keys(properties) : [];
    return names
      .filter((name) => !pattern.test(name))
      .map((name) => ({
        words: `the name of the argument ${quoted(name)} is not of ${accepted}.`,
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
  return (session) => {
    const server = serverName(session);
    if (session.tools && server === '') return 'holds';
    return inTools(({ name }) => {
      const full = fullName(server, name);
      return full.length <= most
        ? []
        : [
            {
              words: `${quoted(full)} has ${full.length} characters, if the server is called ${quoted(server)}.`,
              at: ['name'],
            },
          ];
    })(session);
  };
}

/** Looks for tools with the same name. */
export const distinctNames: Look = (session) => {
  const known = new Set<string>();
  return inTools(({ name }) => {
    if (known.has(name)) return [{ words: 'has the name of an earlier tool.', at: ['name'] }];
    known.add(name);
    return [];
  })(session);
};

/** Looks for tools with different names that are the same once the host has written them in its way. */
export function distinctInHost(written: (tool: string, server: string) => string): Look {
  return (session) => {
    const known = new Map<string, string>();
    return inTools(({ name }) => {
      const own = written(name, serverName(session));
      const other = known.get(own) ?? name;
      known.set(own, other);
      return other === name ? [] : [{ words: `is ${quoted(own)} in this host, as ${quoted(other)} is.`, at: ['name'] }];
    })(session);
  };
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
        words: `The server has ${tools.length} tools; ${quoted(beyond.name)} is the first beyond ${most}.`,
      },
    ];
  };
}

/** Looks for tools that are not on the first page of the list. */
export const firstPage: Look = ({ tools, toolPages: [first] }) => {
  if (!tools) return { notSeen: 'tools' };
  return brokenAt(
    tools
      .filter(({ seq }) => seq !== first)
      .map((tool) => ({
        seq: tool.seq,
        words: `${quoted(tool.name)} is on a later page of \`tools/list\`.`,
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
    if (bare) return [{ words: `the property ${quoted(bare[0])} is not an object.`, at: [key, 'properties', bare[0]] }];
    const isList = Array.isArray(required) && required.every((name) => typeof name === 'string');
    return required === undefined || isList
      ? []
      : [{ words: `${key}.required is not a list of names.`, at: [key, 'required'] }];
  }),
);

/** Looks for schemas that do not fit the meta-schema of JSON Schema. */
export const validSchema: Look = inTools(({ raw }) =>
  schemaFaults(own(raw, 'inputSchema'))
    .slice(0, 1)
    .map(({ path, message }) => ({ words: message, at: ['inputSchema', ...path] })),
);

/** Looks for arrays whose items have no schema. */
export const arrayItems: Look = inSchemas(['inputSchema'], (schema) =>
  own(schema, 'type') === 'array' && own(schema, 'items') === undefined && own(schema, 'prefixItems') === undefined
    ? 'has an array without `items`.'
    : undefined,
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
    .map((name) => ({
      words: `requires ${quoted(name)}, which is not in its properties.`,
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

/** Looks for tools that lack one of these annotations, of a type. */
export function annotated(type: 'boolean' | 'string', ...names: readonly string[]): Look {
  return inTools((tool) => {
    const missing = names.filter((name) => typeof annotation(tool, name) !== type);
    return missing.length === 0 ? [] : [{ words: `has no ${missing.join(', ')}.`, at: ['annotations'] }];
  });
}

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
