// The AI SDK in the proxy’s bundle. It uses little of zod, but in forms that keep all of it: half of the whole.
import { readFileSync } from 'node:fs';

/** Matches the SDK's imports of zod's one object with everything, which would keep all languages and formats. */
const NAMED = /import \{ z(?: as (\w+))? \} from "zod\/v4";/g;

/** @type {import('esbuild').Plugin} */
export const leanAiSdk = {
  name: 'lean-ai-sdk',
  setup(build) {
    // From a namespace, the bundler takes only the members that are used.
    build.onLoad({ filter: /[\\/]@ai-sdk[\\/][\w-]+[\\/]dist[\\/].*\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(NAMED, (_, name = 'z') => `import * as ${name} from "zod/v4";`),
      loader: 'js',
    }));
    // Schemas of zod 3 are an option of the SDK that nothing here takes.
    build.onResolve({ filter: /^zod\/v3$/ }, () => ({ path: 'zod-3', namespace: 'lean-ai-sdk' }));
    build.onLoad({ filter: /^zod-3$/, namespace: 'lean-ai-sdk' }, () => ({
      contents: 'export const ZodFirstPartyTypeKind = {};',
      loader: 'js',
    }));
  },
};
