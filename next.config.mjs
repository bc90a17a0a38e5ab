import { PHASE_DEVELOPMENT_SERVER } from 'next/constants.js';

/** Where `next dev` finds the proxy: the address that `mcp-inspect --no-open` printed. */
const proxy = process.env.MCP_INSPECT_PROXY ?? 'http://127.0.0.1:6270';

/** The page is a static export that our proxy serves; only `next dev` forwards what is not a page. */
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
