import type { LoadInterceptor } from '@/lib/mcp/message-interceptor';
import { loadInterceptor } from './intercept/interceptor';

/** Loads what stands between the two sides of a connection; undefined without that feature. */
export const LOAD_INTERCEPTOR: LoadInterceptor | undefined = [loadInterceptor][0];
