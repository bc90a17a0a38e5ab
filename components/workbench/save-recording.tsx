import { Button } from '@/components/ui/button';
import { saveFile } from '@/components/untrusted/save-file';

/** Saves the recording that stands in this page, `NAME.mcpr.gz`, as a plain file: what left once may leave again. */
export function SaveRecording({ file }: { readonly file: File }) {
  const save = async () => {
    const plain = file.stream().pipeThrough(new DecompressionStream('gzip'));
    saveFile(await new Response(plain).blob(), file.name.replace(/\.gz$/, '.jsonl'));
  };
  return (
    <Button size="small" onClick={() => void save()} title="As a file that mcp-inspect opens">
      Save recording
    </Button>
  );
}
