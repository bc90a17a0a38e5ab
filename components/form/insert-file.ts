/** The formats in which a file can be inserted into a string. */
export type FileForm = 'base64' | 'data-uri' | 'text';

/** Lets the user choose a file, and resolves to it as a string; undefined if none was chosen or it can't be read. */
export async function chooseFile(form: FileForm): Promise<string | undefined> {
  const file = await pick();
  if (file === undefined) return undefined;
  try {
    return await fileText(file, form);
  } catch {
    return undefined;
  }
}

function pick(): Promise<File | undefined> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.addEventListener('change', () => resolve(input.files?.[0]), { once: true });
    input.addEventListener('cancel', () => resolve(undefined), { once: true });
    input.click();
  });
}

/** Returns a file as a string. A data URI includes the name, which servers that take files expect. */
export async function fileText(file: File, form: FileForm): Promise<string> {
  if (form === 'text') return file.text();
  const base64 = toBase64(new Uint8Array(await file.arrayBuffer()));
  if (form === 'base64') return base64;
  return `data:${file.type || 'application/octet-stream'};name=${encodeURIComponent(file.name)};base64,${base64}`;
}

/** Bytes converted at once: String.fromCharCode limits its arguments. A multiple of 3, so that no chunk is padded. */
const CHUNK = 3 * 8192;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return text;
}
