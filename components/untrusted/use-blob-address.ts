import { useEffect, useState } from 'react';

/** A `blob:` address for bytes while the component is mounted; undefined until it is there. */
export function useBlobAddress(bytes: Uint8Array<ArrayBuffer> | undefined, mimeType: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (bytes === undefined) return;
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
    setAddress(made);
    return () => {
      setAddress(undefined);
      URL.revokeObjectURL(made);
    };
  }, [bytes, mimeType]);
  return address;
}
