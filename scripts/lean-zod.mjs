// Packages that use little of zod, but in forms that keep all of it: half of the bundled AI SDK, and of the host of
// apps.
import { readFileSync } from 'node:fs';

/** Matches imports of zod's one object with everything, which would keep all languages and formats. */
const NAMED = /import\s*\{\s*z(?: as (\w+))?\s*\}\s*from\s*"zod\/v4";?/g;

/** @type {import('esbuild').Plugin} */
export const leanZod = {
  name: 'lean-zod',
  setup(build) {
    // From a namespace, the bundler takes only the members that are used.
    build.onLoad(
      { filter: /[\\/](?:@ai-sdk|@modelcontextprotocol)[\\/][\w-]+[\\/]dist[\\/].*\.m?js$/ },
      ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(NAMED, (_, name = 'z') => `import * as ${name} from "zod/v4";`),
        loader: 'js',
      }),
    );
    // Schemas of zod 3 are an option of the SDK that nothing here takes.
    build.onResolve({ filter: /^zod\/v3$/ }, () => ({ path: 'zod-3', namespace: 'lean-zod' }));
    build.onLoad({ filter: /^zod-3$/, namespace: 'lean-zod' }, () => ({
      contents: 'export const ZodFirstPartyTypeKind = {};',
      loader: 'js',
    }));
  },
};
