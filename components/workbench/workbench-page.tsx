import { EvalsPage } from '@/components/evals/evals-page';
import { RecordingsPage } from './recordings/recordings-page';
import type { WorkbenchState } from './use-workbench';

/** A page in place of panel and log. All are in one chunk, because each further chunk enlarges what is loaded first. */
export function WorkbenchPage({ workbench }: { readonly workbench: WorkbenchState }) {
  return workbench.evalsShown ? <EvalsPage /> : <RecordingsPage workbench={workbench} />;
}
