import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';
import { useRecordings } from '@/lib/hooks/recordings';
import { useChangeSettings, useSettings, useSettingsPlace } from '@/lib/hooks/settings';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { readSettingsExport } from './settings-export';

/** Says where the settings are, exports them to a JSON file, and imports one. */
export function SettingsTransfer() {
  const settings = useSettings();
  const change = useChangeSettings();
  const { file, unsaved } = useSettingsPlace();
  const { reply, keep } = useRecordings();
  const [outcome, setOutcome] = useState<readonly string[] | Failure>([]);
  const save = () => {
    const content = { ...settings, ...(keep && reply && { keep: reply.keep }) };
    saveFile(`${JSON.stringify(content, null, 2)}\n`, 'mcp-inspect-settings.json');
  };
  const load = async (chosen: File) => {
    try {
      const { settings: found, keep: kept, ignored } = await readSettingsExport(chosen);
      const count = Object.keys(found).length;
      if (count > 0) change(found);
      const said = [`Imported ${countOf(count, 'setting')}.`];
      if (ignored.length > 0) said.push(`Ignored, because unknown or invalid: ${ignored.join(', ')}.`);
      if (kept && (await keep?.(kept, false))?.saved === false) {
        said.push('The retention was not imported, because it would delete recordings now. Set it above.');
      }
      setOutcome(said);
    } catch (error) {
      setOutcome(error as Failure);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-60 text-muted">
          {file === undefined ? (
            'Kept in this browser'
          ) : (
            <>
              Kept in <span className="font-mono text-wire break-all">{visibleText(file)}</span>
            </>
          )}
        </p>
        <Button onClick={save}>Export…</Button>
        <Button onClick={() => pickJson((chosen) => void load(chosen))}>Import…</Button>
      </div>
      {'code' in outcome ? (
        <ErrorNote codeless failure={outcome} />
      ) : (
        <p role="status" className="break-words">
          {!unsaved && visibleText(outcome.join(' '))}
        </p>
      )}
    </div>
  );
}

function pickJson(onFile: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,application/json';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) onFile(file);
  });
  input.click();
}
