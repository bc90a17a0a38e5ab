/**
 * Sends a request with a body as `fetch` does, and calls `onSent` with the bytes of the body that were sent, which
 * `fetch` can't tell. Rejects as `fetch` does.
 */
export function sendWithProgress(
  path: string,
  { method = 'POST', headers, body, signal }: RequestInit,
  onSent: (bytes: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value as string);
    request.responseType = 'text';
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(new TypeError('The request failed.'));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort());
    if (signal?.aborted) reject(signal.reason);
    else request.send(body as XMLHttpRequestBodyInit);
  });
}
