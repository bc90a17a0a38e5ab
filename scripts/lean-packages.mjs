// Packages that are used for little, but in forms that keep all of them: half of the bundled AI SDK, the SDK of MCP,
// and the host of apps.
import { readFileSync } from 'node:fs';

/** Matches imports of zod's one object with everything, which would keep all languages and formats. */
const NAMED = /import\s*\{\s*z(?: as (\w+))?\s*\}\s*from\s*"zod\/v4";?/g;

/**
 * Matches a definition at the top of a module that calls something, such as a schema of zod, or is a class, whose
 * static blocks count as effects. It ends with the first semicolon before a line that starts another statement.
 */
const DEFINITION =
  /^((?:const|var) [\w$]+ = )(?!\/\*|async\b|function\b)((?:new |class |[\w$.]+\()[\s\S]*?);$(?=\n(?:[^\s)}\]]|\s*$|\n))/gm;

/** Matches the SDK's loops that register all its schemas for `specTypeSchemas` and `isSpecType`, and these two. */
const REGISTRATION = /^for \(const key of SPEC_SCHEMA_KEYS\) .*;\nfor \(.* of Object\.entries\(authSchemas\)\) .*;$/m;
const REGISTERED = /^(const (?:specTypeSchemas|isSpecType) = )(Object\.freeze\(\w+\));$/gm;

/** Marks what only defines something, so that the bundler can leave it out if nothing uses it. */
function leaveable(text) {
  return text
    .replace(REGISTRATION, (loops) => `const registered = (() => {\n\t${loops.replace('\n', '\n\t')}\n})();`)
    .replace(REGISTERED, '$1(() => [registered, $2][1])();')
    .replace(DEFINITION, '$1/* @__PURE__ */ (() => $2)();')
    .replace(/^(const (?:registered|specTypeSchemas|isSpecType) = )\(/gm, '$1/* @__PURE__ */ (');
}

/** Matches files of packages that leave too much in. */
const WHOLE = /[\\/](?:@ai-sdk|@modelcontextprotocol)[\\/][\w-]+[\\/]dist[\\/].*\.m?js$/;

/** Before the path of a module that loads jose. */
const JOSE = '\0lean-jose:';
const ZOD_3 = '\0zod-3';

/** @type {import('rolldown').Plugin} */
export const leanPackages = {
  name: 'lean-packages',
  resolveId: {
    filter: { id: /^(?:jose|zod\/v3)$/ },
    handler(id, importer, { kind }) {
      // Schemas of zod 3 are an option of the SDK that nothing here takes.
      if (id === 'zod/v3') return ZOD_3;
      // The SDK loads jose as a whole, for the few functions that it names in the same file.
      if (kind === 'dynamic-import') return JOSE + importer;
      return importer.startsWith(JOSE) ? this.resolve(id, importer.slice(JOSE.length)) : undefined;
    },
  },
  load(id) {
    if (id === ZOD_3) return 'export const ZodFirstPartyTypeKind = {};';
    if (id.startsWith(JOSE)) {
      const text = readFileSync(id.slice(JOSE.length), 'utf8');
      const names = new Set(Array.from(text.matchAll(/\bjose\.(\w+)/g), (match) => match[1]));
      return `export { ${[...names].join(', ')} } from 'jose';`;
    }
    // From a namespace, the bundler takes only the members that are used.
    if (WHOLE.test(id))
      return leaveable(
        readFileSync(id, 'utf8').replace(NAMED, (_, name = 'z') => `import * as ${name} from "zod/v4";`),
      );
  },
};
