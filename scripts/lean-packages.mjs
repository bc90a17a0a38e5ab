// Packages that are used for little, but in forms that keep all of them: half of the bundled AI SDK, the SDK of MCP,
// and the host of apps.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

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

/** @type {import('esbuild').Plugin} */
export const leanPackages = {
  name: 'lean-packages',
  setup(build) {
    // From a namespace, the bundler takes only the members that are used.
    build.onLoad(
      { filter: /[\\/](?:@ai-sdk|@modelcontextprotocol)[\\/][\w-]+[\\/]dist[\\/].*\.m?js$/, namespace: 'file' },
      ({ path }) => ({
        contents: leaveable(
          readFileSync(path, 'utf8').replace(NAMED, (_, name = 'z') => `import * as ${name} from "zod/v4";`),
        ),
        loader: 'js',
      }),
    );
    // The SDK loads jose as a whole, for the few functions that it names in the same file.
    build.onResolve({ filter: /^jose$/ }, ({ kind, importer }) =>
      kind === 'dynamic-import' ? { path: importer, namespace: 'lean-jose' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'lean-jose' }, ({ path }) => {
      const names = new Set(Array.from(readFileSync(path, 'utf8').matchAll(/\bjose\.(\w+)/g), (match) => match[1]));
      return { contents: `export { ${[...names].join(', ')} } from 'jose';`, resolveDir: dirname(path) };
    });
    // Schemas of zod 3 are an option of the SDK that nothing here takes.
    build.onResolve({ filter: /^zod\/v3$/ }, () => ({ path: 'zod-3', namespace: 'zod-3' }));
    build.onLoad({ filter: /^zod-3$/, namespace: 'zod-3' }, () => ({
      contents: 'export const ZodFirstPartyTypeKind = {};',
      loader: 'js',
    }));
  },
};
