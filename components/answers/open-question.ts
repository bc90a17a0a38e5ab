import { flushSync } from 'react-dom';
import { focusForm } from '@/components/ui/focus';
import { navigate } from '@/lib/hooks/location';

/** Opens a question in the Inbox, or the oldest one, and puts the cursor into its form. */
export function openQuestion({ connection, item }: { readonly connection?: string; readonly item?: string }): void {
  flushSync(() => navigate({ ...(connection !== undefined && { connection }), panel: 'inbox', item }));
  focusForm();
}
