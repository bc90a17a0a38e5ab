import { useEffect, useState } from 'react';
import { startHighlightWorker } from '@/lib/client/workers';
import type { CodeRuns } from '@/lib/highlight/code-kinds';
import { Highlighter } from '@/lib/highlight/highlighter';

/** The highlighter of the page. Its worker starts with the first code that is shown. */
let highlighter: Highlighter | undefined;

/** Returns the runs of code, or undefined until they are found. `names`: possible names of the language. */
export function useCodeRuns(code: string, names: string): CodeRuns | undefined {
  const [found, setFound] = useState<{ readonly code: string; readonly runs: CodeRuns | undefined }>();
  useEffect(() => {
    let current = true;
    highlighter ??= new Highlighter(startHighlightWorker);
    void highlighter.highlight({ code, names: names.split(' ') }).then((runs) => {
      if (current) setFound({ code, runs });
    });
    return () => {
      current = false;
    };
  }, [code, names]);
  return found?.code === code ? found.runs : undefined;
}
