import { PHASE_DEVELOPMENT_SERVER } from 'next/constants.js';

/** Address of the proxy for `next dev`, as printed by `mcp-inspect --no-open`. */
const proxy = process.env.MCP_INSPECT_PROXY ?? 'http://127.0.0.1:6270';

/** The page is a static export that the proxy serves. `next dev` forwards other requests to the proxy. */
export default (phase) => ({
  images: { unoptimized: true },
  turbopack: { root: import.meta.dirname },
  ...(phase === PHASE_DEVELOPMENT_SERVER
    ? {
        rewrites: async () => ({
          beforeFiles: ['/api/:path*', '/ws', '/launch', '/host.json'].map((source) => ({
            source,
            destination: `${proxy}${source}`,
          })),
        }),
      }
    : { output: 'export' }),
});
