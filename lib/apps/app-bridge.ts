// The host of apps from the official SDK, bundled apart (scripts/build-workers.mjs): the page loads it with the first
// app.
import './zod-without-eval';

export { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
