import { ErrorNote } from '@/components/ui/error-note';
import { formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import type { Imported } from './import-files';

/** How many files are kept now, and which are not, and why. */
export function ImportNote({ imported: { kept, failed } }: { readonly imported: Imported }) {
  return (
    <div className="flex flex-col gap-1">
      {kept > 0 && <p role="status">{formatCount(kept)} imported</p>}
      {failed.map(({ file, failure }, index) => (
        <ErrorNote
          // biome-ignore lint/suspicious/noArrayIndexKey: two files of one name may have failed
          key={index}
          codeless
          failure={{ ...failure, message: `${visibleText(file)}: ${failure.message}` }}
        />
      ))}
    </div>
  );
}
