import type { LoadInterceptor } from '@/lib/mcp/message-interceptor';

/** Holds, changes and answers messages by rules, and tools by overlays. */
export const loadInterceptor: LoadInterceptor = () => import('./lib/interceptor');
