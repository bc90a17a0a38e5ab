import { NamedListing } from '@/components/catalogue/named-listing';
import type { Log } from '@/lib/store/log';
import { ToolDetail } from './tool-detail';
import { toolTitle } from './tool-title';

/** The server's tools: what they say of themselves, a form to call each, and what came back. */
export function ToolsPanel({ log }: { readonly log: Log }) {
  return (
    <NamedListing log={log} what="tools" one="tool" titleOf={toolTitle}>
      {(tool) => <ToolDetail key={tool.key} log={log} tool={tool} />}
    </NamedListing>
  );
}
