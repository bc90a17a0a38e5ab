// The host of apps from the official SDK, bundled apart (scripts/build-workers.mjs): the page loads it with the first
// app.
import '../lib/zod-without-eval';

/** Defined by the bundler. */
declare const MCP_INSPECT_VERSION: string;

/** Version that mcp-inspect gives to apps. */
export const HOST_VERSION = MCP_INSPECT_VERSION;

export { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
